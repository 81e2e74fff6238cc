import { CONNECTION_LOST, type Interruption, onceOnline } from './connection';
import { fileOf, transferStore } from './store';
import { type ReceivedTicket, UploadError, type UploadOptions } from './transfer';

export { useTransfers } from './store';
export {
  type Transfer,
  type TransferState,
  type Transfers,
  UploadError,
  type UploadOptions,
  type UploadPhase,
  type UploadTicket,
} from './transfer';

type Engine = typeof import('./engine');

/** Loaded with the first file: few visitors of a page upload one. */
const loadEngine = (): Promise<Engine> => import('./engine');

/** Loads code with the first file, which waits while the browser is offline. */
async function whenOnline<Module>(
  load: () => Promise<Module>,
  signal: AbortSignal,
  onInterruption?: (interruption: Interruption) => void,
): Promise<Module> {
  if (!navigator.onLine) {
    onInterruption?.('offline');
    await onceOnline(signal);
  }
  return load().catch(() => {
    throw new UploadError(CONNECTION_LOST);
  });
}

/** Loads the code ahead of the first file. */
export const preloadTransfers = (): void => void loadEngine().catch(() => {});

interface CreateOptions {
  readonly signal: AbortSignal;
  /** The request waits for the connection. */
  readonly onInterruption?: (interruption: Interruption) => void;
  /** Adds to this upload instead of creating one. */
  readonly bulkUploadId?: string;
}

/**
 * Creates an upload of the files, or adds them to one. Waits while the browser is offline.
 * @returns tickets in the order of the files
 * @throws UploadError, or the signal's reason
 */
export async function createUpload(files: readonly File[], options: CreateOptions): Promise<readonly ReceivedTicket[]> {
  return (await whenOnline(loadEngine, options.signal, options.onInterruption)).createUpload(files, options);
}

const loadUploadFile = () => import('./upload-file');

/**
 * Uploads one file and starts its processing. Waits while the browser is offline, then continues with the step that
 * failed. Cancels the upload when aborted, and keeps it when the connection is lost: see `provideFile`.
 * @returns the id of the task
 * @throws UploadError, or the signal's reason
 */
export async function uploadFile(file: File, options: UploadOptions): Promise<string> {
  const { signal, onChange } = options;
  return (await whenOnline(loadUploadFile, signal, (state) => onChange(state, 0, null))).uploadFile(file, options);
}

/** Waits for a transfer that was restored after a reload, as `uploadFile` does. */
export async function finishRestored(taskId: string, file: File, options: UploadOptions): Promise<string> {
  return (await loadUploadFile()).finishRestored(taskId, file, options);
}

/**
 * Sends three files at a time and processes each as soon as its bytes are stored. They appear in `useTransfers` at once
 * and continue on other pages.
 */
export function startTransfers(tickets: readonly ReceivedTicket[], files: readonly File[]): void {
  tickets.forEach((ticket, index) => {
    const file = files[index];
    if (!file) return;
    transferStore.add({ ticket, file, isSingle: false });
    start(ticket.taskId);
  });
}

export async function restoreSavedTransfers(): Promise<void> {
  const { restoreSaved } = await import('./saved-transfers');
  for (const taskId of await restoreSaved()) start(taskId);
}

/**
 * Continues a transfer that has failed or needs its file.
 * @returns false for another file than the one that was chosen before
 */
export async function provideFile(taskId: string, file: File): Promise<boolean> {
  if (fileOf(taskId) === file) {
    retry(taskId);
    return true;
  }
  const { findSaved } = await import('./saved-transfers');
  const saved = findSaved(taskId, file);
  if (saved) {
    transferStore.add({ ...saved, file });
    start(taskId);
  }
  return saved !== null;
}

/** Ignored unless the file is waiting or being sent. */
export function pause(taskId: string): void {
  withEngine((engine) => engine.pause(taskId));
}

export function resume(taskId: string): void {
  if (transferStore.get(taskId)?.state === 'paused') start(taskId);
}

export function retry(taskId: string): void {
  if (transferStore.get(taskId)?.state === 'failed') start(taskId);
}

export function cancel(taskId: string): void {
  withEngine((engine) => engine.cancel(taskId));
}

export const forget = (taskId: string): void => transferStore.delete(taskId);

function start(taskId: string): void {
  transferStore.update(taskId, { state: 'waiting', problem: null });
  withEngine(
    (engine) => engine.start(taskId),
    () => transferStore.update(taskId, { state: 'failed', problem: CONNECTION_LOST }),
  );
}

function withEngine(act: (engine: Engine) => void, onFailure = () => {}): void {
  loadEngine().then(act, onFailure);
}
