import type { ErrorCode } from '@clearframe/contract';
import { useTranslation } from 'react-i18next';
import { isTransferError } from '../../session/file-error';
import { ProgressBar } from '../../ui/content/progress-bar';
import type { TaskView } from '../tasks/task-view';
import type { Transfer, TransferState } from '../upload/transfer-store';

const SENDING: readonly TransferState[] = ['waiting', 'sending', 'reconnecting', 'checking', 'sent'];

interface PhotoStateProps extends Pick<TaskView, 'state'> {
  readonly name: string;
  readonly transfer: Transfer | undefined;
}

export function PhotoState({ state, name, transfer }: PhotoStateProps) {
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
