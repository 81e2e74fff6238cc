import { type ProblemView, submit } from '../../http/browser-client';
import { fileKindOf } from './file-types';
import {
  CONNECTION_LOST,
  type Interruption,
  onceOnline,
  type ReceivedTicket,
  type TransferSource,
  UploadError,
  type UploadTicket,
} from './transfer-store';
import { readVideoMetadata } from './video-metadata';

/** A request failed without a response. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  /** Bytes were sent before the failure. */
  readonly hasProgressed: boolean;

  constructor(hasProgressed = false) {
    super();
    this.hasProgressed = hasProgressed;
  }
}

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

/** Creates an upload, or adds to `bulkUploadId`. @throws UploadError, ConnectionError, or the signal's reason */
export async function requestTickets(
  files: readonly File[],
  signal: AbortSignal,
  bulkUploadId?: string,
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
    headers: { 'content-type': 'application/json' },
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
    throw new UploadError(CONNECTION_LOST);
  }
  if (result.problem) throw new UploadError(result.problem);
  return result as Result;
}

/**
 * @param onProgress receives the fraction of the bytes sent, 0..1
 * @throws UploadError, ConnectionError, or the signal's reason
 */
export type SendFile = (
  source: TransferSource,
  onProgress: (sent: number) => void,
  signal: AbortSignal,
) => Promise<void>;

/** Sends a whole file. XMLHttpRequest: fetch reports no upload progress. */
export const putFile: SendFile = ({ ticket, file }, onProgress, signal) => {
  const ended = new AbortController();
  return new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', ticket.url);
    for (const [name, value] of Object.entries(ticket.headers)) request.setRequestHeader(name, value);
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
};

export function problemIn(text: string): ProblemView {
  try {
    const { error_code: code, request_id: requestId } = JSON.parse(text);
    return code ? { code, requestId } : CONNECTION_LOST;
  } catch {
    return CONNECTION_LOST;
  }
}
