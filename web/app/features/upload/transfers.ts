import type { TrackingData } from '@clearframe/contract';
import { createStore, del, entries, get, set } from 'idb-keyval';
import type { DetailedError } from 'tus-js-client';
import { type ProblemView, submit, UNREACHABLE } from '../../http/browser-client';
import { track } from '../../telemetry/telemetry';
import { ConnectionError, type Interruption, post, repeatWhenConnected } from './connection';
import { fileKindOf } from './file-types';
import {
  type ReceivedTicket,
  SAVED_TRANSFERS_KEY,
  type Transfer,
  transferStore,
  UploadError,
  type UploadTicket,
} from './transfer-store';
import { readVideoMetadata } from './video-metadata';

const CONCURRENT_TRANSFERS = 3;
/** Younger than the address of a PUT, which expires after 15 minutes. */
const RENEWED_AFTER_MS = 10 * 60 * 1000;

/** What stops each transfer that is being sent. */
const running = new Map<string, AbortController>();
/** Their bytes are at the server. */
const stored = new Set<string>();

/**
 * Sends three files at a time and processes each as soon as its bytes are stored. They appear in `useTransfers` at once
 * and continue on other pages.
 */
export function startTransfers(tickets: readonly ReceivedTicket[], files: readonly File[], isSingle = false): void {
  tickets.forEach((ticket, index) => {
    const file = files[index];
    if (!file) return;
    transferStore.add({ ticket, file, fileName: file.name, isSingle });
    start(ticket.taskId);
  });
}

function start(taskId: string): void {
  transferStore.update(taskId, { state: 'waiting', problem: null });
  const transfer = transferStore.get(taskId);
  if (transfer?.file) void save(transfer, transfer.file);
  startNext();
}

/** Ignored unless the file is waiting or being sent. */
export function pause(taskId: string): void {
  const state = transferStore.get(taskId)?.state;
  if (state === undefined || stored.has(taskId) || state === 'failed') return;
  stop(taskId);
  transferStore.update(taskId, { state: 'paused' });
}

export function resume(taskId: string): void {
  if (transferStore.get(taskId)?.state === 'paused') start(taskId);
}

export function retry(taskId: string): void {
  if (transferStore.get(taskId)?.state === 'failed') start(taskId);
}

export function cancel(taskId: string): void {
  stop(taskId);
  stored.delete(taskId);
  endUpload(taskId, { operation: 'canceled' });
  forgetSaved(taskId);
  transferStore.delete(taskId);
  requestCancellation(taskId);
}

export const forget = (taskId: string): void => transferStore.delete(taskId);

function stop(taskId: string): void {
  running.get(taskId)?.abort(new DOMException('Stopped by the visitor', 'AbortError'));
  running.delete(taskId);
}

function startNext(): void {
  while (running.size < CONCURRENT_TRANSFERS) {
    const waiting = [...transferStore.all().values()].filter(({ state }) => state === 'waiting');
    // Small files first: they don't continue after an interruption.
    const next = waiting.find(({ ticket }) => !ticket.resumableUrl) ?? waiting[0];
    if (!next?.file) return;
    void run(next.ticket, next.file);
  }
}

async function run(ticket: ReceivedTicket, file: File): Promise<void> {
  const { taskId, resumableUrl } = ticket;
  const controller = new AbortController();
  const { signal } = controller;
  running.set(taskId, controller);
  startUpload(ticket);
  const update = (change: Partial<Transfer>) => {
    // A stopped transfer may have been restarted.
    if (running.get(taskId) === controller) transferStore.update(taskId, change);
  };
  const onInterruption = (state: Interruption) => update({ state });
  try {
    if (!stored.has(taskId)) {
      const options = { signal, onProgress: (sent: number) => update({ sent }) };
      const send = async () => {
        update({ state: 'sending', ...(resumableUrl ? {} : { sent: 0 }) });
        if (resumableUrl) await sendResumable(resumableUrl, file, options);
        else await putFile(await withValidAddress(ticket, file, signal), file, options);
      };
      await repeatWhenConnected(send, onInterruption, signal);
      stored.add(taskId);
    }
    const process = () => {
      update({ state: 'checking', sent: 1 });
      return requestProcessing(ticket, signal);
    };
    await repeatWhenConnected(process, onInterruption, signal);
    update({ state: 'sent' });
    const mediaType = endUpload(taskId, { operation: 'completed' });
    if (mediaType) track('process', { operation: 'started', mediaType }, taskId);
    forgetSaved(taskId);
  } catch (error) {
    const problem = error instanceof UploadError ? error.problem : UNREACHABLE;
    update({ state: 'failed', problem });
    // A paused one goes on.
    if (!signal.aborted) endUpload(taskId, { operation: 'failed', errorCode: problem.code });
    // A file that was rejected would be rejected again after a reload.
    if (!signal.aborted && problem !== UNREACHABLE) forgetSaved(taskId);
  } finally {
    if (running.get(taskId) === controller) running.delete(taskId);
    startNext();
  }
}

/** A file may wait for others, for the network or for a computer that sleeps. */
async function withValidAddress(ticket: ReceivedTicket, file: File, signal: AbortSignal): Promise<ReceivedTicket> {
  const { ticket: latest = ticket, isSingle = false } = transferStore.get(ticket.taskId) ?? {};
  if (Date.now() - latest.receivedAt < RENEWED_AFTER_MS) return latest;
  const renewed = await renewTicket(latest, signal);
  transferStore.update(ticket.taskId, { ticket: renewed });
  void save({ ticket: renewed, isSingle }, file);
  return renewed;
}

type MediaType = TrackingData<'upload'>['mediaType'];

/** Tracked uploads that have not ended. */
const uploading = new Map<string, MediaType>();

function startUpload({ taskId, bulkUploadId }: ReceivedTicket): void {
  if (uploading.has(taskId)) return;
  const mediaType = bulkUploadId === null ? 'video' : 'image';
  uploading.set(taskId, mediaType);
  track('upload', { operation: 'started', mediaType, files: 1 }, taskId);
}

/** @returns undefined if it has ended before */
function endUpload(
  taskId: string,
  end: Pick<TrackingData<'upload'>, 'operation' | 'errorCode'>,
): MediaType | undefined {
  const mediaType = uploading.get(taskId);
  if (mediaType && uploading.delete(taskId)) track('upload', { ...end, mediaType, files: 1 }, taskId);
  return mediaType;
}

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
    throw error instanceof ConnectionError ? new UploadError(UNREACHABLE) : error;
  }
}

async function requestTickets(
  files: readonly File[],
  signal: AbortSignal,
  bulkUploadId: string | undefined,
): Promise<readonly ReceivedTicket[]> {
  const [single, ...others] = files;
  if (single && others.length === 0 && fileKindOf(single) === 'video')
    return [await requestVideoTicket(single, signal)];
  const body = { files: files.map(({ name, type, size }) => ({ name, type, size })) };
  const path = bulkUploadId === undefined ? '/uploads' : `/uploads/${bulkUploadId}/files`;
  return (await post<{ tickets: readonly UploadTicket[] }>(path, signal, body)).tickets.map(received);
}

async function requestVideoTicket(file: File, signal: AbortSignal): Promise<ReceivedTicket> {
  const { name, type, size } = file;
  const metadata = await readVideoMetadata(file);
  signal.throwIfAborted();
  return received((await post<{ ticket: UploadTicket }>('/videos', signal, { name, type, size, metadata })).ticket);
}

const received = (ticket: UploadTicket): ReceivedTicket => ({ ...ticket, receivedAt: Date.now() });

/** A new address for the file of a task. @throws UploadError, ConnectionError, or the signal's reason */
async function renewTicket({ taskId, bulkUploadId }: UploadTicket, signal: AbortSignal): Promise<ReceivedTicket> {
  const { ticket } = await post<{ ticket: UploadTicket }>(`/uploads/${taskId}/renew`, signal, {});
  return received({ ...ticket, bulkUploadId });
}

/** Starts processing an uploaded file. @throws UploadError, ConnectionError, or the signal's reason */
async function requestProcessing({ bulkUploadId, taskId }: UploadTicket, signal: AbortSignal): Promise<void> {
  try {
    if (bulkUploadId === null) await post(`/videos/${taskId}/process`, signal, {});
    else await post(`/uploads/${bulkUploadId}/process`, signal, { taskId });
  } catch (error) {
    // The file is stored: waits for a restarted server instead of reporting an error.
    if (error instanceof UploadError && error.problem.code === 'service.unavailable') throw new ConnectionError();
    throw error;
  }
}

/** Failures are ignored: the backend deletes abandoned uploads. */
function requestCancellation(taskId: string): void {
  void submit(`/uploads/${taskId}/cancel`, {});
}

interface SendOptions {
  /** @param sent fraction of the bytes, 0..1 */
  readonly onProgress: (sent: number) => void;
  readonly signal: AbortSignal;
}

/** Sends a whole file. XMLHttpRequest: fetch reports no upload progress. @throws as {@link sendResumable} */
function putFile({ url, headers }: UploadTicket, file: File, { onProgress, signal }: SendOptions): Promise<void> {
  const ended = new AbortController();
  return new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () =>
      request.status < 300 ? resolve() : reject(new UploadError(problemIn(request.responseText)));
    request.onerror = () => reject(new ConnectionError());
    request.onabort = () => reject(signal.aborted ? signal.reason : new ConnectionError());
    const abort = () => request.abort();
    signal.addEventListener('abort', abort, { signal: ended.signal });
    // A request that has lost its network may hang for minutes.
    window.addEventListener('offline', abort, { signal: ended.signal });
    request.send(file);
  }).finally(() => ended.abort());
}

/**
 * Continues an upload by tus at the byte that the server has.
 * @throws UploadError, ConnectionError, or the signal's reason
 */
async function sendResumable(uploadUrl: string, file: File, { onProgress, signal }: SendOptions): Promise<void> {
  const { Upload } = await import('tus-js-client').catch(() => {
    throw new ConnectionError();
  });
  const ended = new AbortController();
  let hasProgressed = false;
  return new Promise<void>((resolve, reject) => {
    const upload = new Upload(file, {
      uploadUrl,
      storeFingerprintForResuming: false,
      // Repeated here, and the network is waited for.
      retryDelays: null,
      onProgress: (sent, total) => {
        hasProgressed = true;
        onProgress(total > 0 ? sent / total : 0);
      },
      onSuccess: () => resolve(),
      onError: (error) => reject(asTransferError(error, hasProgressed)),
    });
    const stop = (reason: unknown) => {
      void upload.abort();
      reject(reason);
    };
    signal.addEventListener('abort', () => stop(signal.reason), { signal: ended.signal });
    // A request that has lost its network may hang for minutes.
    window.addEventListener('offline', () => stop(new ConnectionError(hasProgressed)), { signal: ended.signal });
    if (signal.aborted) reject(signal.reason);
    else upload.start();
  }).finally(() => ended.abort());
}

/** Statuses of HEAD responses, which have no body. */
const CODE_BY_STATUS: ReadonlyMap<number, ProblemView['code']> = new Map([
  [403, 'uploads.url_invalid'],
  [404, 'uploads.not_found'],
  [409, 'uploads.closed'],
  [410, 'uploads.expired'],
]);

function asTransferError(error: Error | DetailedError, hasProgressed: boolean): Error {
  const response = 'originalResponse' in error ? error.originalResponse : null;
  const status = response?.getStatus() ?? 0;
  if (!response || status === 0 || status >= 500) return new ConnectionError(hasProgressed);
  const problem = problemIn(response.getBody());
  // The next attempt requests the offset.
  if (problem.code === 'uploads.wrong_offset') return new ConnectionError(hasProgressed);
  if (problem !== UNREACHABLE) return new UploadError(problem);
  const code = CODE_BY_STATUS.get(status) ?? UNREACHABLE.code;
  return new UploadError({ code, requestId: response.getHeader('x-request-id') ?? '' });
}

function problemIn(text: string): ProblemView {
  try {
    const { error_code: code, request_id: requestId } = JSON.parse(text);
    return code ? { code, requestId } : UNREACHABLE;
  } catch {
    return UNREACHABLE;
  }
}

/** What continues a transfer after a reload of this tab, besides its file. */
interface SavedTransfer extends Pick<Transfer, 'ticket' | 'fileName' | 'isSingle'> {
  readonly size: number;
  readonly lastModified: number;
}

interface SavedFile {
  readonly file: File;
  readonly savedAt: number;
}

/** Lifetime of the longest upload address. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;

/** The browser keeps them where it has room. */
const files = createStore('clearframe-transfers', 'files');

/** Also deletes files of tabs that were closed long ago. */
async function save({ ticket, isSingle }: Pick<Transfer, 'ticket' | 'isSingle'>, file: File): Promise<void> {
  const { taskId } = ticket;
  const { name: fileName, size, lastModified } = file;
  writeSaved([...otherThan(taskId), { ticket, isSingle, fileName, size, lastModified }]);
  await ignoringStorageErrors(async () => {
    const kept: readonly [IDBValidKey, SavedFile][] = await entries(files);
    for (const [key, { savedAt }] of kept) if (Date.now() - savedAt > LIFETIME_MS) await del(key, files);
    if (kept.some(([key]) => key === taskId) || !savedOf(taskId)) return;
    await set(taskId, { file, savedAt: Date.now() } satisfies SavedFile, files);
    // The transfer may have ended while the file was written.
    if (!savedOf(taskId)) await del(taskId, files);
  });
}

function forgetSaved(taskId: string): void {
  writeSaved(otherThan(taskId));
  void ignoringStorageErrors(() => del(taskId, files));
}

/** Continues the transfers of this tab before it was reloaded, where the browser has kept their files. */
export async function restoreSavedTransfers(): Promise<void> {
  const waiting: string[] = [];
  for (const saved of readSaved()) {
    const { taskId } = saved.ticket;
    if (transferStore.get(taskId)) continue;
    const kept = await ignoringStorageErrors(() => get<SavedFile>(taskId, files));
    transferStore.add({ ...saved, file: kept?.file ?? null });
    if (kept) waiting.push(taskId);
  }
  waiting.forEach(start);
}

/**
 * Continues a transfer that has failed or needs its file.
 * @returns false for another file than the one that was chosen before
 */
export function provideFile(taskId: string, file: File): boolean {
  if (transferStore.get(taskId)?.file === file) {
    retry(taskId);
    return true;
  }
  const saved = savedOf(taskId);
  const isSame = saved?.fileName === file.name && saved.size === file.size && saved.lastModified === file.lastModified;
  if (!isSame) return false;
  transferStore.add({ ...saved, file });
  start(taskId);
  return true;
}

const savedOf = (taskId: string) => readSaved().find(({ ticket }) => ticket.taskId === taskId);
const otherThan = (taskId: string) => readSaved().filter(({ ticket }) => ticket.taskId !== taskId);

function readSaved(): readonly SavedTransfer[] {
  try {
    return JSON.parse(sessionStorage.getItem(SAVED_TRANSFERS_KEY) ?? '[]');
  } catch {
    return [];
  }
}

function writeSaved(saved: readonly SavedTransfer[]): void {
  try {
    if (saved.length === 0) sessionStorage.removeItem(SAVED_TRANSFERS_KEY);
    else sessionStorage.setItem(SAVED_TRANSFERS_KEY, JSON.stringify(saved));
  } catch {
    // Without storage, a reload loses the transfers.
  }
}

/** Private windows and full disks refuse to store. */
async function ignoringStorageErrors<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}
