import FileUp from 'lucide-react/icons/file-up';
import ImageOff from 'lucide-react/icons/image-off';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import RotateCw from 'lucide-react/icons/rotate-cw';
import Trash2 from 'lucide-react/icons/trash';
import X from 'lucide-react/icons/x';
import { type ChangeEvent, type ComponentPropsWithoutRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { batchAddress } from '../../session/task-addresses';
import { ProgressBar } from '../../ui/content/waiting';
import { onFirstClick } from '../../ui/controls/button';
import { SubmitButton, SubmitForm, useIsSubmitting } from '../../ui/controls/submit-form';
import { AppLink } from '../../ui/page/app-link';
import { useStableUrl } from '../../ui/picture/picture-url';
import { photoAddress } from '../filmstrip/filmstrip-view';
import { ModalLink } from '../modals/modal-link';
import type { TaskView } from '../tasks/task-view';
import { ACCEPTED_PHOTOS } from '../upload/file-types';
import type { Transfer } from '../upload/transfer-store';
import { cancel, pause, provideFile, resume, retry } from '../upload/transfers';
import { type CardState, cardStateOf } from './batch-view';

interface PhotoCardProps {
  readonly bulkUploadId: string;
  readonly photo: TaskView;
  readonly number: number;
  readonly transfer: Transfer | undefined;
}

export function PhotoCard({ bulkUploadId, photo, number, transfer }: PhotoCardProps) {
  const { t } = useTranslation(['processing', 'common']);
  const state = cardStateOf(photo, transfer);
  const name = photo.fileName ?? transfer?.fileName ?? t('batch.nameless', { number });
  const { taskId, output } = photo;
  const isOpenable = output !== null || photo.state.kind !== 'uploading';
  return (
    <li className="group relative flex min-w-0 flex-col gap-2">
      <div className="batch-frame" data-dim={state.isReady ? undefined : ''}>
        <Picture
          url={photo.display.thumbnailUrl}
          preview={transfer?.preview ?? null}
          isPending={state.canCancel || state.isReady}
        />
        {state.text && <StateLabel state={state} />}
      </div>
      <p className="text-sm font-medium">
        {isOpenable ? (
          <AppLink
            to={photoAddress({ taskId, hasResult: output !== null })}
            title={name}
            className="block min-w-0 after:absolute after:inset-0 after:rounded-card"
          >
            <bdi className="block w-fit max-w-full truncate">{name}</bdi>
          </AppLink>
        ) : (
          <bdi className="block w-fit max-w-full truncate" title={name}>
            {name}
          </bdi>
        )}
      </p>
      {state.problem && <p className="text-caption text-pretty text-on-alert">{t(`common:errors.${state.problem}`)}</p>}
      {state.canRetry && (
        <SubmitForm method="post" action={batchAddress(bulkUploadId)} preventScrollReset className="relative z-1">
          <input type="hidden" name="taskId" value={taskId} />
          <SubmitButton kind="quiet" size="small" name="intent" value="retry" className="min-h-11">
            <RotateCw aria-hidden className="size-4" />
            {t('common:tryAgain')}
            <span className="sr-only">{name}</span>
          </SubmitButton>
        </SubmitForm>
      )}
      <CardActions {...{ bulkUploadId, photo, state, name, transfer }} />
    </li>
  );
}

interface PictureProps {
  readonly url: string | null;
  readonly preview: string | null;
  readonly isPending: boolean;
}

function Picture({ url, preview, isPending }: PictureProps) {
  const stable = useStableUrl(url);
  const [broken, setBroken] = useState<string | null>(null);
  const src = [stable, preview].find((one) => one !== null && one !== broken);
  if (src) return <img src={src} alt="" loading="lazy" decoding="async" onError={() => setBroken(src)} />;
  if (isPending) return <span className="gleam block size-full" />;
  return (
    <span className="grid size-full place-items-center text-muted">
      <ImageOff aria-hidden className="size-8 opacity-60" />
    </span>
  );
}

function StateLabel({ state: { text, progress } }: { readonly state: CardState }) {
  const { t } = useTranslation('processing');
  if (!text) return null;
  const label = t(`batch.states.${text}`, { progress: progress ?? 0 });
  return (
    <span className="batch-state">
      {label}
      {progress !== undefined && <ProgressBar label={label} value={progress} />}
    </span>
  );
}

interface CardActionsProps {
  readonly bulkUploadId: string;
  readonly photo: TaskView;
  readonly state: CardState;
  readonly name: string;
  readonly transfer: Transfer | undefined;
}

const ICON = 'size-4.5';
const TARGET = 'group/target grid size-11 cursor-pointer place-items-center';
const CIRCLE =
  'grid size-8 place-items-center rounded-full bg-black/60 text-white transition group-hover/target:bg-black/85';

export function CardActions({ bulkUploadId, photo, state, name, transfer }: CardActionsProps) {
  const { t } = useTranslation('processing');
  const { taskId } = photo;
  const isOwn = transfer !== undefined && transfer.state !== 'sent' && photo.state.kind === 'uploading';
  return (
    <div className="absolute end-0.5 top-0.5 z-1 flex flex-col">
      {/* First: below a button that goes, it would move under the pointer. */}
      {state.canCancel &&
        (isOwn ? (
          <Action label={t('batch.cancel', { name })} onClick={() => cancel(taskId)}>
            <X aria-hidden className={ICON} />
          </Action>
        ) : (
          <SubmitForm method="post" action={batchAddress(bulkUploadId)} preventScrollReset>
            <input type="hidden" name="taskId" value={taskId} />
            <CancelButton label={t('batch.cancel', { name })} />
          </SubmitForm>
        ))}
      {state.transfer === 'running' && (
        <Action label={t('batch.pause', { name })} onClick={() => pause(taskId)}>
          <Pause aria-hidden className={ICON} />
        </Action>
      )}
      {state.transfer === 'paused' && (
        <Action label={t('batch.resume', { name })} onClick={() => resume(taskId)}>
          <Play aria-hidden className={ICON} />
        </Action>
      )}
      {state.transfer === 'failed' && (
        <Action label={t('batch.retry', { name })} onClick={() => retry(taskId)}>
          <RotateCw aria-hidden className={ICON} />
        </Action>
      )}
      {state.text === 'needsFile' && <ChooseFile taskId={taskId} label={`${t('batch.states.needsFile')}: ${name}`} />}
      {state.canDelete && (
        <ModalLink
          modal="history:delete"
          with={{ taskIds: [taskId] }}
          label={t('batch.remove', { name })}
          className={TARGET}
        >
          <span className={CIRCLE}>
            <Trash2 aria-hidden className={ICON} />
          </span>
        </ModalLink>
      )}
    </div>
  );
}

function Action({ label, children, ...rest }: ComponentPropsWithoutRef<'button'> & { readonly label: string }) {
  return (
    <button type="button" aria-label={label} title={label} className={TARGET} {...rest}>
      <span className={CIRCLE}>{children}</span>
    </button>
  );
}

function ChooseFile({ taskId, label }: { readonly taskId: string; readonly label: string }) {
  const onChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    if (file) void provideFile(taskId, file);
    currentTarget.value = '';
  };
  return (
    <label title={label} className={`${TARGET} has-focus-visible:outline-3`}>
      <span className={CIRCLE}>
        <FileUp aria-hidden className={ICON} />
      </span>
      <input type="file" aria-label={label} accept={ACCEPTED_PHOTOS} className="sr-only" onChange={onChange} />
    </label>
  );
}

function CancelButton({ label }: { readonly label: string }) {
  const isSubmitting = useIsSubmitting();
  return (
    <Action type="submit" name="intent" value="cancel" label={label} disabled={isSubmitting} onClick={onFirstClick()}>
      <X aria-hidden className={ICON} />
    </Action>
  );
}
