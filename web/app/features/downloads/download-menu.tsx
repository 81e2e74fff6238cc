import ChevronDown from 'lucide-react/icons/chevron-down';
import LockKeyhole from 'lucide-react/icons/lock-keyhole';
import { type MouseEventHandler, useCallback, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../ui/controls/button';
import { useIsSubmitting } from '../../ui/controls/submit-form';
import { ModalLink } from '../modals/modal-link';
import { useIsModalOpen } from '../modals/modals';
import { PaywallLink } from '../plans/paywall-link';
import { DOWNLOAD_FORMATS, type FormatOffer } from './download-view';
import { ExportForm, useExport } from './export-form';

interface DownloadMenuProps {
  readonly taskId: string;
  readonly outputId: string;
  readonly formats: readonly FormatOffer[];
  readonly fileUrl: string;
  readonly onDownload: MouseEventHandler;
  /** A rendered file's download starts. */
  readonly onExport: () => void;
}

const ITEM =
  'flex min-h-11 w-full cursor-pointer items-center justify-between gap-6 rounded-control px-4 text-start text-sm font-medium hover:bg-quiet disabled:opacity-50';

/** The file in other formats: a popover, which browsers open without script. */
export function DownloadMenu({ taskId, outputId, formats, fileUrl, onDownload, onExport }: DownloadMenuProps) {
  const { t } = useTranslation('result');
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const close = useCallback(() => popover.current?.hidePopover(), []);
  const exporting = useExport(() => {
    close();
    onExport();
  });
  return (
    <>
      <button
        type="button"
        className={`${buttonClass('primary', 'small')} min-h-11 rounded-s-none ps-2.5 pe-3 ms-px`}
        {...{ popovertarget: id }}
        title={t('formats')}
      >
        <ChevronDown aria-hidden className="size-5" />
        <span className="sr-only">{t('formats')}</span>
      </button>
      <div ref={popover} id={id} {...{ popover: 'auto' }} data-theme="dark" className="download-menu">
        <ExportForm {...{ exporting, taskId, outputId }} className="flex flex-col">
          <CloseUnderModal popover={popover} />
          <p className="px-4 pt-2 pb-1 text-caption text-muted">{t('formats')}</p>
          {formats.map((offer) => (
            <Format key={offer.format} offer={offer} {...{ taskId, fileUrl, onDownload }} onOpen={close} />
          ))}
        </ExportForm>
      </div>
    </>
  );
}

interface FormatProps extends Omit<DownloadMenuProps, 'formats' | 'outputId' | 'onExport'> {
  readonly offer: FormatOffer;
  /** The menu would cover a modal. */
  readonly onOpen: () => void;
}

function Format({ offer: { format, kind }, taskId, fileUrl, onDownload, onOpen }: FormatProps) {
  const { t } = useTranslation('result');
  const isSubmitting = useIsSubmitting();
  const { name } = DOWNLOAD_FORMATS[format];
  switch (kind) {
    case 'locked': {
      const isPaid = DOWNLOAD_FORMATS[format].outputContentType === 'image/jpeg';
      const contents = (
        <>
          {name}
          <span className="flex items-center gap-1.5 text-caption text-muted">
            <LockKeyhole aria-hidden className="size-4" />
            {t(isPaid ? 'formatPaid' : 'formatLocked')}
          </span>
        </>
      );
      return isPaid ? (
        <PaywallLink taskId={taskId} previousAction="format" className={ITEM}>
          {contents}
        </PaywallLink>
      ) : (
        <ModalLink modal="offer" with={{ topic: 'formats', taskId }} className={ITEM} onOpen={onOpen}>
          {contents}
        </ModalLink>
      );
    }
    case 'file':
      return (
        <a href={fileUrl} download onClick={onDownload} className={ITEM}>
          {name}
        </a>
      );
    default:
      return (
        <button type="submit" name="format" value={format} disabled={isSubmitting} className={ITEM}>
          {name}
        </button>
      );
  }
}

/** A popover would cover the paywall. */
function CloseUnderModal({ popover }: { readonly popover: { readonly current: HTMLElement | null } }) {
  const isModalOpen = useIsModalOpen();
  useEffect(() => {
    if (isModalOpen) popover.current?.hidePopover();
  }, [isModalOpen, popover]);
  return null;
}
