import { CONNECTION_LOST } from './connection';
import { cancel, createUpload, start } from './engine';
import { transferStore } from './store';
import { UploadError, type UploadOptions, type UploadPhase } from './transfer';

export async function uploadFile(file: File, options: UploadOptions): Promise<string> {
  const taskId = await startTransfer(file, options);
  return finishTransfer(taskId, options, () => startTransfer(file, options));
}

export function finishRestored(taskId: string, file: File, options: UploadOptions): Promise<string> {
  return finishTransfer(taskId, options, () => startTransfer(file, options));
}

async function finishTransfer(
  taskId: string,
  options: UploadOptions,
  startAgain: (() => Promise<string>) | null,
): Promise<string> {
  try {
    await untilSent(taskId, options);
    return taskId;
  } catch (error) {
    // Keeps what the server has, to try again.
    if (error instanceof UploadError && error.problem === CONNECTION_LOST) throw error;
    cancel(taskId);
    // The address expired while the browser was offline or the page closed.
    const isExpired = error instanceof UploadError && EXPIRED.includes(error.problem.code);
    if (!isExpired || !startAgain) throw error;
    return finishTransfer(await startAgain(), options, null);
  }
}

const EXPIRED: readonly string[] = ['uploads.url_expired', 'uploads.expired'];

async function startTransfer(file: File, { signal, onChange }: UploadOptions): Promise<string> {
  const [ticket] = await createUpload([file], { signal, onInterruption: (state) => onChange(state, 0, null) });
  if (!ticket) throw new UploadError(CONNECTION_LOST);
  transferStore.add({ ticket, file, isSingle: true });
  start(ticket.taskId);
  return ticket.taskId;
}

function untilSent(taskId: string, { signal, onChange }: UploadOptions): Promise<void> {
  const ended = new AbortController();
  return new Promise<void>((resolve, reject) => {
    const check = () => {
      const transfer = transferStore.get(taskId);
      if (!transfer || transfer.state === 'sent') resolve();
      else if (transfer.state === 'failed') reject(new UploadError(transfer.problem ?? CONNECTION_LOST));
      else if (isPhase(transfer.state)) onChange(transfer.state, transfer.sent, transfer.isResumable ? taskId : null);
    };
    const unsubscribe = transferStore.subscribe(check);
    ended.signal.addEventListener('abort', unsubscribe);
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { signal: ended.signal });
    if (signal.aborted) onAbort();
    check();
  }).finally(() => ended.abort());
}

const PHASES: readonly string[] = ['sending', 'paused', 'checking', 'offline', 'reconnecting'] satisfies UploadPhase[];

const isPhase = (state: string): state is UploadPhase => PHASES.includes(state);
