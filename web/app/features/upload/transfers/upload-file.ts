import { CONNECTION_LOST } from './connection';
import { transferStore } from './store';
import { UploadError } from './transfer';
import { cancel, createUpload, startTransfers } from './transfers';

export type UploadPhase = 'preparing' | 'sending' | 'checking' | 'offline' | 'reconnecting';

interface Options {
  readonly signal: AbortSignal;
  /** @param sent fraction of the bytes, 0..1 */
  readonly onChange: (phase: UploadPhase, sent: number) => void;
}

/**
 * Uploads one file and starts its processing. Waits while the browser is offline, then continues with the step that
 * failed. Cancels the upload when aborted.
 * @returns the id of the task
 * @throws UploadError, or the signal's reason
 */
export async function uploadFile(file: File, options: Options): Promise<string> {
  const taskId = await startTransfer(file, options);
  return finishTransfer(taskId, options, () => startTransfer(file, options));
}

/** Waits for a transfer that was restored after a reload, as `uploadFile` does. */
export function finishRestored(taskId: string, options: Options): Promise<string> {
  const file = transferStore.sources.get(taskId)?.file;
  return finishTransfer(taskId, options, file ? () => startTransfer(file, options) : null);
}

async function finishTransfer(
  taskId: string,
  options: Options,
  startAgain: (() => Promise<string>) | null,
): Promise<string> {
  try {
    await untilSent(taskId, options);
    return taskId;
  } catch (error) {
    cancel(taskId);
    // The address expired while the browser was offline or the page closed.
    const isExpired = error instanceof UploadError && EXPIRED.includes(error.problem.code);
    if (!isExpired || !startAgain) throw error;
    return finishTransfer(await startAgain(), options, null);
  }
}

const EXPIRED: readonly string[] = ['uploads.url_expired', 'uploads.expired'];

async function startTransfer(file: File, { signal, onChange }: Options): Promise<string> {
  const [ticket] = await createUpload([file], { signal, onInterruption: (state) => onChange(state, 0) });
  if (!ticket) throw new UploadError(CONNECTION_LOST);
  startTransfers([ticket], [file], { isSingle: true });
  return ticket.taskId;
}

function untilSent(taskId: string, { signal, onChange }: Options): Promise<void> {
  const ended = new AbortController();
  return new Promise<void>((resolve, reject) => {
    const check = () => {
      const transfer = transferStore.get(taskId);
      if (!transfer || transfer.state === 'sent') resolve();
      else if (transfer.state === 'failed') reject(new UploadError(transfer.problem ?? CONNECTION_LOST));
      else if (isPhase(transfer.state)) onChange(transfer.state, transfer.sent);
    };
    const unsubscribe = transferStore.subscribe(check);
    ended.signal.addEventListener('abort', unsubscribe);
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { signal: ended.signal });
    if (signal.aborted) onAbort();
    check();
  }).finally(() => ended.abort());
}

const PHASES: readonly string[] = ['sending', 'checking', 'offline', 'reconnecting'] satisfies UploadPhase[];

const isPhase = (state: string): state is UploadPhase => PHASES.includes(state);
