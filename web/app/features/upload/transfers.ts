import type { TrackingData } from '@clearframe/contract';
import { track } from '../../telemetry/telemetry';
import { findSaved, forgetSaved, restoreSaved, save } from './saved-transfers';
import {
  ConnectionError,
  putFile,
  renewTicket,
  repeatWhenConnected,
  requestCancellation,
  requestProcessing,
  requestTickets,
  type SendFile,
} from './transfer-requests';
import {
  CONNECTION_LOST,
  fileOf,
  type Interruption,
  type ReceivedTicket,
  type TransferSource,
  transferStore,
  UploadError,
  type UploadOptions,
  type UploadPhase,
} from './transfer-store';

const CONCURRENT_TRANSFERS = 3;
/** Younger than the address of a PUT, which expires after 15 minutes. */
const RENEWED_AFTER_MS = 10 * 60 * 1000;

const queue: string[] = [];
const running = new Map<string, AbortController>();
const stored = new Set<string>();

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
export async function createUpload(
  files: readonly File[],
  { signal, onInterruption = () => {}, bulkUploadId }: CreateOptions,
): Promise<readonly ReceivedTicket[]> {
  try {
    return await repeatWhenConnected(() => requestTickets(files, signal, bulkUploadId), onInterruption, signal);
  } catch (error) {
    throw error instanceof ConnectionError ? new UploadError(CONNECTION_LOST) : error;
  }
}

function start(taskId: string): void {
  transferStore.update(taskId, { state: 'waiting', problem: null });
  const source = transferStore.sources.get(taskId);
  if (!source || running.has(taskId) || queue.includes(taskId)) return;
  void save(source);
  queue.push(taskId);
  startNext();
}

/** Ignored unless the file is waiting or being sent. */
export function pause(taskId: string): void {
  const state = transferStore.get(taskId)?.state;
  if (state === undefined || stored.has(taskId) || state === 'failed') return;
  stop(taskId);
  transferStore.update(taskId, { state: 'paused' });
}

export function cancel(taskId: string): void {
  stop(taskId);
  stored.delete(taskId);
  endUpload(taskId, { operation: 'canceled' });
  void forgetSaved(taskId);
  transferStore.delete(taskId);
  requestCancellation(taskId);
}

function stop(taskId: string): void {
  const position = queue.indexOf(taskId);
  if (position >= 0) queue.splice(position, 1);
  running.get(taskId)?.abort(new DOMException('Stopped by the visitor', 'AbortError'));
  running.delete(taskId);
}

function startNext(): void {
  while (running.size < CONCURRENT_TRANSFERS) {
    const taskId = takeNext();
    if (taskId === undefined) return;
    const source = transferStore.sources.get(taskId);
    if (source) void run(taskId, source);
  }
}

/** Small files first: they don't continue after an interruption. */
function takeNext(): string | undefined {
  const urgent = queue.findIndex((taskId) => !transferStore.sources.get(taskId)?.ticket.resumableUrl);
  return queue.splice(Math.max(urgent, 0), 1)[0];
}

const send: SendFile = async (source, onProgress, signal) => {
  if (!source.ticket.resumableUrl) return putFile(await withValidAddress(source, signal), onProgress, signal);
  const { sendResumable } = await loadOnce(() => import('./send-resumable'));
  return sendResumable(source, onProgress, signal);
};

/** A file may wait for others, for the network or for a computer that sleeps. */
async function withValidAddress(source: TransferSource, signal: AbortSignal): Promise<TransferSource> {
  const { ticket } = source;
  // Without a time: it was saved by an earlier version of the page.
  if (Date.now() - (ticket.receivedAt ?? 0) < RENEWED_AFTER_MS) return source;
  const renewed = { ...source, ticket: await renewTicket(ticket, signal) };
  transferStore.sources.set(ticket.taskId, renewed);
  void save(renewed);
  return renewed;
}

/** @throws ConnectionError when the code can't be loaded */
const loadOnce = <Module>(load: () => Promise<Module>): Promise<Module> =>
  load().catch(() => {
    throw new ConnectionError();
  });

type MediaType = TrackingData<'upload'>['mediaType'];

/** Tracked uploads that have not ended. */
const uploading = new Map<string, MediaType>();

function startUpload(taskId: string, { ticket }: TransferSource): void {
  if (uploading.has(taskId)) return;
  const mediaType = ticket.bulkUploadId === null ? 'video' : 'image';
  uploading.set(taskId, mediaType);
  track('upload', { operation: 'started', mediaType, files: 1 }, taskId);
}

function endUpload(taskId: string, end: Pick<TrackingData<'upload'>, 'operation' | 'errorCode'>): void {
  const mediaType = uploading.get(taskId);
  if (mediaType && uploading.delete(taskId)) track('upload', { ...end, mediaType, files: 1 }, taskId);
}

async function run(taskId: string, source: TransferSource): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  running.set(taskId, controller);
  startUpload(taskId, source);
  const update: typeof transferStore.update = (id, change) => {
    // A stopped transfer may have been restarted.
    if (running.get(id) === controller) transferStore.update(id, change);
  };
  const onInterruption = (state: Interruption) => update(taskId, { state });
  try {
    if (!stored.has(taskId)) {
      const attempt = () => {
        update(taskId, { state: 'sending', ...(source.ticket.resumableUrl ? {} : { sent: 0 }) });
        return send(source, (sent) => update(taskId, { sent }), signal);
      };
      await repeatWhenConnected(attempt, onInterruption, signal);
      stored.add(taskId);
    }
    const process = () => {
      update(taskId, { state: 'checking', sent: 1 });
      return requestProcessing(source.ticket, signal);
    };
    await repeatWhenConnected(process, onInterruption, signal);
    update(taskId, { state: 'sent' });
    const mediaType = uploading.get(taskId);
    endUpload(taskId, { operation: 'completed' });
    if (mediaType) track('process', { operation: 'started', mediaType }, taskId);
    void forgetSaved(taskId);
  } catch (error) {
    const problem = error instanceof UploadError ? error.problem : CONNECTION_LOST;
    update(taskId, { state: 'failed', problem });
    // A paused one goes on.
    if (!signal.aborted) endUpload(taskId, { operation: 'failed', errorCode: problem.code });
    // A file that was rejected would be rejected again after a reload.
    if (!signal.aborted && problem !== CONNECTION_LOST) void forgetSaved(taskId);
  } finally {
    if (running.get(taskId) === controller) running.delete(taskId);
    startNext();
  }
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
  for (const taskId of await restoreSaved()) start(taskId);
}

/**
 * Continues a transfer that has failed or needs its file.
 * @returns false for another file than the one that was chosen before
 */
export function provideFile(taskId: string, file: File): boolean {
  if (fileOf(taskId) === file) {
    retry(taskId);
    return true;
  }
  const saved = findSaved(taskId, file);
  if (saved) {
    transferStore.add({ ...saved, file });
    start(taskId);
  }
  return saved !== null;
}

export function resume(taskId: string): void {
  if (transferStore.get(taskId)?.state === 'paused') start(taskId);
}

export function retry(taskId: string): void {
  if (transferStore.get(taskId)?.state === 'failed') start(taskId);
}

export const forget = (taskId: string): void => transferStore.delete(taskId);

/**
 * Uploads one file and starts its processing. Waits while the browser is offline, then continues with the step that
 * failed. Cancels the upload when aborted, and keeps it when the connection is lost: see `provideFile`.
 * @returns the id of the task
 * @throws UploadError, or the signal's reason
 */
export async function uploadFile(file: File, options: UploadOptions): Promise<string> {
  const taskId = await startTransfer(file, options);
  return finishTransfer(taskId, options, () => startTransfer(file, options));
}

/** Waits for a transfer that was restored after a reload, as {@link uploadFile} does. */
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
