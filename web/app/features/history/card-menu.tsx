import Download from 'lucide-react/icons/download';
import Ellipsis from 'lucide-react/icons/ellipsis';
import FileDown from 'lucide-react/icons/file-down';
import Share2 from 'lucide-react/icons/share-2';
import Trash2 from 'lucide-react/icons/trash';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalLink } from '../modals/modal-link';
import type { HistoryItem } from './history.server';

const ITEM =
  'flex min-h-11 w-full items-center gap-3 rounded-control px-3.5 py-2 text-start text-sm font-medium hover:bg-quiet';

/** More actions on a photo: a popover, which browsers open without scripts. */
export function CardMenu({ item, name }: { readonly item: HistoryItem; readonly name: string }) {
  const { t } = useTranslation(['account', 'common']);
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = menu;
    // A modal opens below an open popover.
    const close = () => current?.hidePopover();
    current?.addEventListener('click', close);
    return () => current?.removeEventListener('click', close);
  }, []);
  const { task, download, hasOriginal } = item;
  const { taskId, state, output } = task;
  // A preview is neither downloaded nor shared.
  const result = state.kind === 'done' && output && !output.isPreview ? output : null;
  const kind = result?.hasWatermark ? 'watermarked' : download;
  return (
    <>
      <button
        type="button"
        {...{ popovertarget: id }}
        className="relative z-1 -me-2 grid size-11 shrink-0 cursor-pointer place-items-center rounded-full text-muted transition hover:bg-quiet hover:text-ink"
      >
        <Ellipsis aria-hidden className="size-5" />
        <span className="sr-only">{t('history.more', { name })}</span>
      </button>
      <div ref={menu} id={id} {...{ popover: 'auto' }} className="card-menu">
        {result && (
          <a href={`/tasks/${taskId}/file`} download className={ITEM}>
            <Download aria-hidden className="size-4.5 shrink-0" />
            <span>
              {t('history.downloadOne')}
              {kind !== null && kind !== 'full' && (
                <span className="block text-caption font-normal text-muted">{t(`history.${kind}`)}</span>
              )}
            </span>
          </a>
        )}
        {hasOriginal && (
          <a href={`/tasks/${taskId}/file?of=original`} download className={ITEM}>
            <FileDown aria-hidden className="size-4.5 shrink-0" />
            {t('history.original')}
          </a>
        )}
        {result && (
          <ModalLink modal="share" with={{ taskId }} className={ITEM}>
            <Share2 aria-hidden className="size-4.5 shrink-0" />
            {t('common:share')}
          </ModalLink>
        )}
        <ModalLink modal="history:delete" with={{ taskIds: [taskId] }} className={ITEM}>
          <Trash2 aria-hidden className="size-4.5 shrink-0" />
          {t('history.delete.confirm', { count: 1 })}
        </ModalLink>
      </div>
    </>
  );
}
