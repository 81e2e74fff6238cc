import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import CopyCheck from 'lucide-react/icons/copy-check';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { usePolled } from '../../http/use-data';
import { batchAddress } from '../../session/task-addresses';
import { Spinner } from '../../ui/content/waiting';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { AppLink } from '../../ui/page/app-link';
import { useStableUrl } from '../../ui/picture/picture-url';
import type { TaskView } from '../tasks/task-view';
import { type FilmstripPhoto, type FilmstripView, filmstripPhotoOf, photoAddress } from './filmstrip-view';

interface FilmstripProps {
  readonly view: FilmstripView;
  readonly taskId: string;
  readonly children?: ReactNode;
}

export function Filmstrip({ view, taskId, children }: FilmstripProps) {
  const { t } = useTranslation('processing');
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]');
    // Unlike scrollIntoView it leaves the page where it is.
    if (list.current && current) {
      const { left, width } = current.getBoundingClientRect();
      const frame = list.current.getBoundingClientRect();
      list.current.scrollLeft += left + width / 2 - (frame.left + frame.width / 2);
    }
  }, []);
  return (
    <nav aria-label={t('batch.strip')} className="filmstrip">
      <ul ref={list} className="filmstrip-photos">
        {view.photos.map((photo, index) => (
          <li key={photo.taskId}>
            <Photo photo={photo} isShown={photo.taskId === taskId} number={index + 1} />
          </li>
        ))}
      </ul>
      {children}
    </nav>
  );
}

interface PhotoProps {
  readonly photo: FilmstripPhoto;
  readonly isShown: boolean;
  readonly number: number;
}

function Photo({ photo, isShown, number }: PhotoProps) {
  const { t } = useTranslation('processing');
  const { fileName, kind } = photo;
  const url = useStableUrl(photo.thumbnailUrl);
  const name = fileName ?? t('batch.nameless', { number });
  return (
    <AppLink
      to={photoAddress(photo)}
      replace
      title={name}
      aria-current={isShown ? 'page' : undefined}
      className="filmstrip-photo"
    >
      {url && <img src={url} alt="" loading="lazy" decoding="async" />}
      <span className="sr-only">{name}</span>
      <Mark kind={kind} />
    </AppLink>
  );
}

function Mark({ kind }: Pick<FilmstripPhoto, 'kind'>) {
  const { t } = useTranslation('processing');
  if (kind === 'done') return null;
  const hasEnded = kind === 'failed' || kind === 'invalid' || kind === 'cancelled';
  return (
    <span className="filmstrip-mark">
      {hasEnded ? <CircleAlert aria-hidden className="size-5" /> : <Spinner label={null} size={20} />}
      <span className="sr-only">{t(`batch.kinds.${kind}`)}</span>
    </span>
  );
}

interface ApplyLookProps {
  readonly view: FilmstripView;
  readonly taskId: string;
  readonly outputId: string;
}

/** Applies the displayed result's tools to the other finished photos; the batch shows the progress. */
export function ApplyLook({ view: { batchId, photos }, taskId, outputId }: ApplyLookProps) {
  const { t } = useTranslation('processing');
  if (!photos.some((photo) => photo.taskId !== taskId && photo.kind === 'done')) return null;
  return (
    <SubmitForm method="post" action={batchAddress(batchId)} className="shrink-0">
      <input type="hidden" name="taskId" value={taskId} />
      <input type="hidden" name="outputId" value={outputId} />
      <SubmitButton
        kind="quiet"
        size="small"
        name="intent"
        value="apply"
        title={t('batch.look.applyThis')}
        className="min-h-11 max-w-56 text-start leading-tight text-balance max-sm:size-11 max-sm:px-0"
      >
        <CopyCheck aria-hidden className="size-5 shrink-0" />
        <span className="max-sm:sr-only">{t('batch.look.applyThis')}</span>
      </SubmitButton>
    </SubmitForm>
  );
}

export function useFilmstrip(initial: FilmstripView | null): FilmstripView | null {
  const batchId = initial?.batchId ?? '';
  const { view } = usePolled(initial, initial && `/batches/${batchId}`, {
    isChanging,
    viewOf: ({ photos }: { readonly photos: readonly TaskView[] }) => ({
      batchId,
      photos: photos.map(filmstripPhotoOf),
    }),
  });
  return view;
}

const isChanging = (view: FilmstripView | null): boolean =>
  view?.photos.some(({ kind }) => kind === 'uploading' || kind === 'waiting' || kind === 'working') ?? false;
