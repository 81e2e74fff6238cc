import type { ErrorCode } from '@clearframe/contract';
import Film from 'lucide-react/icons/film';
import ImageOff from 'lucide-react/icons/image-off';
import Play from 'lucide-react/icons/play';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePolled } from '../../http/use-data';
import { useDeletionTime } from '../../i18n/use-deletion-time';
import { isTransferError } from '../../session/file-error';
import { batchAddress } from '../../session/task-addresses';
import { Badge } from '../../ui/content/badge';
import { ProgressBar } from '../../ui/content/waiting';
import { AppLink } from '../../ui/page/app-link';
import { isOpen, type TaskView, taskAddress, taskDataAddress } from '../tasks/task-view';
import { type Transfer, type TransferState, useTransfers } from '../upload/transfer-store';
import { formatTimecode } from '../videos/sync';
import { CardMenu } from './card-menu';
import { ChangeButton } from './change-button';
import type { HistoryItem } from './history.server';

const isRunning = ({ state }: TaskView): boolean => state.kind === 'waiting' || state.kind === 'working';

interface CardProps {
  readonly item: HistoryItem;
  readonly transfer: Transfer | undefined;
}

export function HistoryCard({ item }: Pick<CardProps, 'item'>) {
  const transfer = useTransfers().get(item.task.taskId);
  const isActive = isRunning(item.task) || (transfer && item.task.state.kind === 'uploading');
  return isActive ? <ActiveCard {...{ item, transfer }} /> : <Card {...{ item, transfer }} />;
}

function ActiveCard({ item, transfer }: CardProps) {
  const { taskId, output } = item.task;
  const { view: task } = usePolled(item.task, taskDataAddress(taskId, output?.id), { isChanging: isOpen });
  return <Card item={{ ...item, task }} transfer={transfer} />;
}

function Card({ item, transfer }: CardProps) {
  const { t } = useTranslation('account');
  const { task, batchSize } = item;
  const { taskId, batchId, state, display } = task;
  const deletion = useDeletionTime(item.deletion);
  const name = task.fileName ?? t('history.nameless');
  return (
    <li className="group relative flex min-w-0 flex-col gap-2.5">
      <div className="relative aspect-square overflow-hidden rounded-card bg-well shadow-soft transition group-hover:shadow-float">
        <Thumbnails
          key={`${state.kind}:${display.thumbnailUrl === null}`}
          src={display.thumbnailUrl ?? (task.mediaType === 'image' ? transfer?.preview : null) ?? null}
          beforeSrc={state.kind === 'done' ? display.inputThumbnailUrl : null}
          isVideo={task.mediaType === 'video'}
          isDim={state.kind !== 'done'}
        />
        {task.mediaType === 'video' && state.kind === 'done' && <VideoBadge duration={task.duration} />}
        {task.isTest && (
          <span className="absolute start-2.5 top-2.5">
            <Badge variant="pro">{t('pluginKey.test')}</Badge>
          </span>
        )}
        <PhotoState state={state} name={name} transfer={transfer} />
      </div>
      <div className="flex items-start gap-1">
        <div className="min-w-0 flex-1">
          <p className="flex font-medium">
            <AppLink
              to={taskAddress(task)}
              title={name}
              className="min-w-0 after:absolute after:inset-0 after:rounded-card"
            >
              <bdi className="block truncate">{name}</bdi>
            </AppLink>
          </p>
          <p className="text-caption text-muted">
            <time dateTime={item.createdAt}>{item.createdAgo}</time>
          </p>
          <p className="text-caption text-muted">
            <time dateTime={deletion.iso}>
              {deletion.isRelative
                ? t('history.deletedIn', { when: deletion.text })
                : t('history.deletedOn', { date: deletion.text })}
            </time>
          </p>
          {batchId && (
            <AppLink
              to={batchAddress(batchId)}
              className="link-quiet relative z-1 inline-flex min-h-6 items-center text-caption underline underline-offset-4"
            >
              {t('history.batch', { count: batchSize })}
            </AppLink>
          )}
        </div>
        <CardMenu item={item} name={name} />
      </div>
      {state.kind === 'failed' && <ChangeButton change="retry" taskId={taskId} name={name} />}
      {(isRunning(task) || state.kind === 'uploading') && <ChangeButton change="cancel" taskId={taskId} name={name} />}
      <label className="absolute end-1 top-1 z-1 grid size-11 cursor-pointer place-items-center">
        <span className="grid size-8 place-items-center rounded-full bg-raised/85 shadow-soft">
          <input
            type="checkbox"
            name="taskId"
            value={taskId}
            aria-label={t('history.choose', { name })}
            className="size-4.5 cursor-pointer accent-(--accent)"
          />
        </span>
      </label>
    </li>
  );
}

function VideoBadge({ duration }: { readonly duration: number | null }) {
  const { t } = useTranslation('account');
  const length = formatTimecode(duration ?? 0);
  return (
    <span className="absolute start-2.5 bottom-2.5 flex items-center gap-1.5 rounded-full bg-raised px-2.5 py-1 text-caption font-medium shadow-soft tabular-nums">
      <Play aria-hidden className="size-3 fill-current" />
      <span className="sr-only">{t('history.video', { length })}</span>
      <span aria-hidden>{length}</span>
    </span>
  );
}

interface ThumbnailsProps {
  /** The first URL is kept: every response signs new ones for the same image. */
  readonly src: string | null;
  /** URL of the original, to compare with. */
  readonly beforeSrc: string | null;
  readonly isDim: boolean;
  readonly isVideo: boolean;
}

const PICTURE = 'size-full object-cover object-[50%_25%] transition duration-200 group-hover:scale-[1.03]';
const ON_HOVER = 'opacity-0 group-hover:opacity-100 group-has-[a:focus-visible]:opacity-100';

/** Cropped to a square, on hover or focus the original; an icon when the browser can't decode it. */
function Thumbnails({ src, beforeSrc, isDim, isVideo }: ThumbnailsProps) {
  const { t } = useTranslation('account');
  const after = usePicture(src);
  const before = usePicture(beforeSrc);
  if (!after) {
    return (
      <span className="grid size-full place-items-center text-muted">
        {isVideo ? (
          <Film aria-hidden className="size-8 opacity-60" />
        ) : (
          <ImageOff aria-hidden className="size-8 opacity-60" />
        )}
      </span>
    );
  }
  return (
    <>
      <img {...after} alt="" loading="lazy" decoding="async" className={`${PICTURE} ${isDim ? 'opacity-60' : ''}`} />
      {before && (
        <>
          <img
            {...before}
            alt=""
            loading="lazy"
            decoding="async"
            className={`${PICTURE} ${ON_HOVER} absolute inset-0`}
          />
          <span
            aria-hidden
            className={`${ON_HOVER} absolute start-2.5 top-2.5 rounded-full bg-raised px-3 py-1 text-caption font-medium shadow-soft transition`}
          >
            {t('history.before')}
          </span>
        </>
      )}
    </>
  );
}

/** Properties of an image; null when there is none or the browser can't decode it. */
function usePicture(src: string | null) {
  const [firstSrc] = useState(src);
  const [isBroken, setBroken] = useState(false);
  const image = useRef<HTMLImageElement>(null);
  // Loading may have failed before hydration.
  useEffect(() => {
    const { current } = image;
    if (current?.complete && current.naturalWidth === 0) setBroken(true);
  }, []);
  if (firstSrc === null || isBroken) return null;
  return { ref: image, src: firstSrc, onError: () => setBroken(true) };
}

const SENDING: readonly TransferState[] = ['waiting', 'sending', 'reconnecting', 'checking', 'sent'];

interface PhotoStateProps extends Pick<TaskView, 'state'> {
  readonly name: string;
  readonly transfer: Transfer | undefined;
}

function PhotoState({ state, name, transfer }: PhotoStateProps) {
  const { t } = useTranslation('account');
  if (state.kind === 'done') return null;
  const hasFailed = state.kind === 'failed' || state.kind === 'invalid';
  const progress = progressOf(state, transfer);
  return (
    <div className="absolute inset-x-2.5 bottom-2.5 flex flex-col items-start gap-2">
      <span
        className={`max-w-full rounded-full px-3 py-1 text-sm font-medium ${
          hasFailed ? 'bg-alert text-on-alert' : 'bg-raised text-ink shadow-soft'
        }`}
      >
        {progress === null
          ? t(`history.states.${labelOf(state)}`)
          : t(state.kind === 'uploading' ? 'history.states.sending' : 'history.states.working', { progress })}
      </span>
      {progress !== null && <ProgressBar label={name} value={progress} />}
    </div>
  );
}

/** Codes of files that can be read, but are larger or longer than allowed. */
const OVER_LIMIT: readonly ErrorCode[] = ['videos.limit_reached', 'uploads.too_large', 'uploads.too_many_pixels'];

export const labelOf = <State extends TaskView['state']>(state: State): State['kind'] | 'overLimit' | 'uploading' =>
  state.kind === 'invalid' ? labelOfInvalid(state.code) : state.kind;

function labelOfInvalid(code: ErrorCode): 'invalid' | 'overLimit' | 'uploading' {
  if (isTransferError(code)) return 'uploading';
  return OVER_LIMIT.includes(code) ? 'overLimit' : 'invalid';
}

/** Progress of the upload or the processing, 0..1; null while neither goes on. */
function progressOf(state: TaskView['state'], transfer: Transfer | undefined): number | null {
  if (state.kind === 'working') return state.progress;
  return state.kind === 'uploading' && transfer && SENDING.includes(transfer.state) ? transfer.sent : null;
}
