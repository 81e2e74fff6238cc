import type { ProblemView } from '../../../http/problem';

/** What the page's script learns about an upload. The token is not among it. */
export interface UploadTicket {
  readonly bulkUploadId: string;
  readonly taskId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The backend refused, or the connection failed. */
export class UploadError extends Error {
  override readonly name = 'UploadError';

  readonly problem: ProblemView;

  constructor(problem: ProblemView) {
    super(problem.code);
    this.problem = problem;
  }
}

interface Progress {
  /** Part of the bytes that is sent, 0..1. */
  readonly onProgress: (sent: number) => void;
  readonly onSent: () => void;
  readonly signal: AbortSignal;
}

const UNREACHABLE: ProblemView = { code: 'service.unavailable', requestId: '' };

/**
 * Sends a file and starts work on it. Aborting leaves nothing of it behind.
 * @returns the task
 * @throws UploadError, or the signal's reason
 */
export async function upload(file: File, { onProgress, onSent, signal }: Progress): Promise<string> {
  const notice = { name: file.name, type: file.type, size: file.size };
  const ticket = await post<UploadTicket>('/uploads', signal, notice);
  try {
    await put(ticket, file, onProgress, signal);
    onSent();
    await post(`/uploads/${ticket.bulkUploadId}/process`, signal);
    return ticket.taskId;
  } catch (error) {
    // Not awaited: the visitor has left the upload.
    fetch(`/uploads/${ticket.taskId}/cancel`, { method: 'POST', keepalive: true }).catch(() => {});
    throw error;
  }
}

async function post<Answer>(address: string, signal: AbortSignal, body?: object): Promise<Answer> {
  let answer: { problem?: ProblemView };
  try {
    const response = await fetch(address, {
      method: 'POST',
      signal,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body ?? {}),
    });
    answer = await response.json();
  } catch {
    signal.throwIfAborted();
    throw new UploadError(UNREACHABLE);
  }
  if (answer.problem) throw new UploadError(answer.problem);
  return answer as Answer;
}

/** XMLHttpRequest, because fetch does not say how much has been sent. */
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
