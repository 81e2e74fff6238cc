import type { ProblemView } from '../../../http/problem';
import { CONNECTION_LOST, ConnectionError, type Interruption, repeatWhenConnected } from './connection';

/** Where and how the page's script sends a file; contains no token. */
export interface UploadTicket {
  readonly bulkUploadId: string;
  readonly taskId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The upload was rejected, or the connection failed repeatedly. */
export class UploadError extends Error {
  override readonly name = 'UploadError';

  readonly problem: ProblemView;

  constructor(problem: ProblemView) {
    super(problem.code);
    this.problem = problem;
  }
}

interface Progress {
  /** Fraction of the bytes sent, 0..1. */
  readonly onProgress: (sent: number) => void;
  readonly onSent: () => void;
  /** The upload waits for the connection. */
  readonly onInterruption: (interruption: Interruption) => void;
  readonly signal: AbortSignal;
}

/**
 * Uploads a file and starts processing. Waits while the browser is offline, then continues with the step that failed.
 * Cancels the upload when aborted.
 * @returns the id of the task
 * @throws UploadError, or the signal's reason
 */
export async function upload(file: File, { onProgress, onSent, onInterruption, signal }: Progress): Promise<string> {
  const info = { name: file.name, type: file.type, size: file.size };
  let ticket: UploadTicket | null = null;
  let isSent = false;
  const proceed = async (): Promise<string> => {
    ticket ??= await post<UploadTicket>('/uploads', signal, info);
    if (!isSent) await put(ticket, file, onProgress, signal);
    isSent = true;
    onSent();
    await post(`/uploads/${ticket.bulkUploadId}/process`, signal);
    return ticket.taskId;
  };
  const cancel = () => {
    if (ticket) fetch(`/uploads/${ticket.taskId}/cancel`, { method: 'POST', keepalive: true }).catch(() => {});
    ticket = null;
    isSent = false;
  };
  const attempt = () => repeatWhenConnected(proceed, onInterruption, signal);
  try {
    return await attempt().catch((error: unknown) => {
      // The address expired while the browser was offline.
      if (!(error instanceof UploadError) || error.problem.code !== 'uploads.url_expired') throw error;
      cancel();
      return attempt();
    });
  } catch (error) {
    cancel();
    throw error instanceof ConnectionError ? new UploadError(CONNECTION_LOST) : error;
  }
}

async function post<Result>(path: string, signal: AbortSignal, body?: object): Promise<Result> {
  const response = await fetch(path, {
    method: 'POST',
    signal,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
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

/** XMLHttpRequest: fetch reports no upload progress. */
function put(ticket: UploadTicket, file: File, onProgress: (sent: number) => void, signal: AbortSignal): Promise<void> {
  const ended = new AbortController();
  return new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', ticket.url);
    for (const [name, value] of Object.entries(ticket.headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => (request.status < 300 ? resolve() : reject(new UploadError(problemOf(request))));
    request.onerror = () => reject(new ConnectionError());
    request.onabort = () => reject(signal.aborted ? signal.reason : new ConnectionError());
    const abort = () => request.abort();
    signal.addEventListener('abort', abort, { signal: ended.signal });
    // A request that has lost its network may hang for minutes.
    window.addEventListener('offline', abort, { signal: ended.signal });
    request.send(file);
  }).finally(() => ended.abort());
}

function problemOf(request: XMLHttpRequest): ProblemView {
  try {
    const { error_code: code, request_id: requestId } = JSON.parse(request.responseText);
    return code ? { code, requestId } : CONNECTION_LOST;
  } catch {
    return CONNECTION_LOST;
  }
}
