import type { ProblemView } from '../../../http/problem';

/** Where and how the page's script sends a file; contains no token. */
export interface UploadTicket {
  readonly bulkUploadId: string;
  readonly taskId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The upload was rejected, or the connection failed. */
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
  readonly signal: AbortSignal;
}

const UNREACHABLE: ProblemView = { code: 'service.unavailable', requestId: '' };

/**
 * Uploads a file and starts processing; cancels the upload when aborted.
 * @returns the id of the task
 * @throws UploadError, or the signal's reason
 */
export async function upload(file: File, { onProgress, onSent, signal }: Progress): Promise<string> {
  const info = { name: file.name, type: file.type, size: file.size };
  const ticket = await post<UploadTicket>('/uploads', signal, info);
  try {
    await put(ticket, file, onProgress, signal);
    onSent();
    await post(`/uploads/${ticket.bulkUploadId}/process`, signal);
    return ticket.taskId;
  } catch (error) {
    fetch(`/uploads/${ticket.taskId}/cancel`, { method: 'POST', keepalive: true }).catch(() => {});
    throw error;
  }
}

async function post<Result>(path: string, signal: AbortSignal, body?: object): Promise<Result> {
  let result: { problem?: ProblemView };
  try {
    const response = await fetch(path, {
      method: 'POST',
      signal,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body ?? {}),
    });
    result = await response.json();
  } catch {
    signal.throwIfAborted();
    throw new UploadError(UNREACHABLE);
  }
  if (result.problem) throw new UploadError(result.problem);
  return result as Result;
}

/** XMLHttpRequest: fetch reports no upload progress. */
function put(ticket: UploadTicket, file: File, onProgress: (sent: number) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', ticket.url);
    for (const [name, value] of Object.entries(ticket.headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => (request.status < 300 ? resolve() : reject(new UploadError(problemOf(request))));
    request.onerror = () => reject(new UploadError(UNREACHABLE));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

function problemOf(request: XMLHttpRequest): ProblemView {
  try {
    const { error_code: code, request_id: requestId } = JSON.parse(request.responseText);
    return code ? { code, requestId } : UNREACHABLE;
  } catch {
    return UNREACHABLE;
  }
}
