import type { DetailedError } from 'tus-js-client';
import { type ProblemView, submit, UNREACHABLE } from '../../http/browser-client';
import { fileKindOf } from './file-types';
import { onceOnline, type ReceivedTicket, UploadError, type UploadTicket } from './transfer-store';
import { readVideoMetadata } from './video-metadata';

/** A request failed without a response. */
class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  /** Bytes were sent before the failure. */
  readonly hasProgressed: boolean;

  constructor(hasProgressed = false) {
    super();
    this.hasProgressed = hasProgressed;
  }
}

/** `offline`: the browser has no network; `reconnecting`: it has one, but a request failed. */
export type Interruption = 'offline' | 'reconnecting';

/** Pauses between attempts while the browser is online; offline, it waits for the network. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 16_000];

/**
 * Repeats `work` after connection errors.
 * @throws ConnectionError when the browser is online and all attempts have failed, other errors of `work`, or the
 * signal's reason
 */
export async function repeatWhenConnected<Result>(
  work: () => Promise<Result>,
  onInterruption: (interruption: Interruption) => void,
  signal: AbortSignal,
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      if (navigator.onLine) {
        if (error.hasProgressed) failures = 0;
        const pause = PAUSES_MS[failures];
        if (pause === undefined) throw error;
        onInterruption('reconnecting');
        await onceOnline(signal, pause);
      } else {
        onInterruption('offline');
        failures = -1;
        await onceOnline(signal);
      }
    }
  }
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
export async function renewTicket(
  { taskId, bulkUploadId }: UploadTicket,
  signal: AbortSignal,
): Promise<ReceivedTicket> {
  const { ticket } = await post<{ ticket: UploadTicket }>(`/uploads/${taskId}/renew`, signal, {});
  return received({ ...ticket, bulkUploadId });
}

/** Starts processing an uploaded file. @throws UploadError, ConnectionError, or the signal's reason */
export async function requestProcessing({ bulkUploadId, taskId }: UploadTicket, signal: AbortSignal): Promise<void> {
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
export function requestCancellation(taskId: string): void {
  void submit(`/uploads/${taskId}/cancel`, {});
}

async function post<Result>(path: string, signal: AbortSignal, body: object): Promise<Result> {
  const response = await fetch(path, {
    method: 'POST',
    signal,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    signal.throwIfAborted();
    throw new ConnectionError();
  });
  let result: { problem?: ProblemView };
  try {
    result = await response.json();
  } catch {
    signal.throwIfAborted();
    throw new UploadError(UNREACHABLE);
  }
  if (result.problem) throw new UploadError(result.problem);
  return result as Result;
}

interface SendOptions {
  /** @param sent fraction of the bytes, 0..1 */
  readonly onProgress: (sent: number) => void;
  readonly signal: AbortSignal;
}

/** Sends a whole file. XMLHttpRequest: fetch reports no upload progress. @throws as {@link sendResumable} */
export function putFile(
  { url, headers }: UploadTicket,
  file: File,
  { onProgress, signal }: SendOptions,
): Promise<void> {
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
export async function sendResumable(uploadUrl: string, file: File, { onProgress, signal }: SendOptions): Promise<void> {
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
