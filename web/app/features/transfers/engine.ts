import type { TrackingData } from '@clearframe/contract';
import { track } from '../../telemetry/telemetry';
import { ConnectionError, repeatWhenConnected } from './attempts';
import { CONNECTION_LOST, type Interruption } from './connection';
import {
  putFile,
  renewTicket,
  requestCancellation,
  requestProcessing,
  requestTickets,
  type SendFile,
} from './requests';
import { forgetSaved, save } from './saved-transfers';
import { type TransferSource, transferStore } from './store';
import { type ReceivedTicket, UploadError } from './transfer';

const CONCURRENT_TRANSFERS = 3;
/** Younger than the address of a PUT, which expires after 15 minutes. */
const RENEWED_AFTER_MS = 10 * 60 * 1000;

const queue: string[] = [];
const running = new Map<string, AbortController>();
const stored = new Set<string>();

interface CreateOptions {
  readonly signal: AbortSignal;
  readonly onInterruption?: (interruption: Interruption) => void;
  readonly bulkUploadId?: string;
}

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

export function start(taskId: string): void {
  const source = transferStore.sources.get(taskId);
  if (!source || running.has(taskId) || queue.includes(taskId)) return;
  void save(source);
  queue.push(taskId);
  startNext();
}

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
