import ImageOff from 'lucide-react/icons/image-off';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { batchAddress } from '../../session/task-addresses';
import { ProgressBar } from '../../ui/content/progress-bar';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { AppLink } from '../../ui/page/app-link';
import { useStableUrl } from '../../ui/picture/stable-url';
import { photoAddress } from '../filmstrip/filmstrip-view';
import type { TaskView } from '../tasks/task-view';
import type { Transfer } from '../transfers/transfers';
import { CardActions } from './card-actions';
import { type CardState, cardStateOf } from './card-state';

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
