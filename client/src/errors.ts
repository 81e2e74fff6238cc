import type { Schemas } from './schemas.ts';

/** What a caller can do about an error that the API doesn't explain itself. */
const REMEDIES: Readonly<Record<string, string>> = {
  'connection.failed': 'Check the network and the address of Clearframe (`baseUrl`, CLEARFRAME_URL).',
  'users.not_authorized': 'Check the key; create another one in your account if it was revoked.',
  'plugin_keys.not_permitted': 'Use a key whose scopes include this call.',
  'plugin_keys.not_in_plan': 'Keys are part of the business plan; the key works again when the account has it.',
  'plugin_keys.device_mismatch': 'Send the id of the device that the key is bound to, or use another key.',
  'request.rate_limited': 'Wait for the seconds in `retryAfterSeconds`, or send fewer requests at once.',
  'queue.full': 'Too many pictures are waiting: wait for `retryAfterSeconds`.',
  'exports.insufficient': 'The plan has no downloads left in this period.',
  'pipeline.not_in_plan': 'Leave out the tool, or choose a plan that has it.',
  'outputs.format_not_in_plan': 'Choose JPEG, or a plan with the other formats.',
  'uploads.too_large': 'Pictures have at most 50 MB.',
  'uploads.too_many_pixels': 'Pictures have at most 100 megapixels.',
  'uploads.unsupported_type': 'Send JPEG, PNG, TIFF, WebP, PSD, HEIC, HEIF or AVIF; videos are MP4 or MOV.',
  'uploads.undecodable': 'The file is damaged: open it in another program and save it again.',
  'idempotency.key_reused': 'Use a new idempotency key for other bytes or options.',
};

const RETRYABLE_STATUSES: readonly number[] = [408, 429, 502, 503, 504];
/** A 409 that ends by itself, and a 503 that does not. */
const RETRYABLE_CODES: readonly string[] = ['idempotency.in_progress', 'service.internal', 'connection.failed'];
const FINAL_CODES: readonly string[] = ['service.not_configured'];

interface ErrorDetails {
  readonly code: string;
  /** Of the answer; null without one. */
  readonly status?: number | null;
  readonly requestId?: string | null;
  readonly remedy?: string | null;
  readonly retryAfterSeconds?: number | null;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** Every error of the API and of the way to it. An aborted call throws the signal's reason instead. */
export class ClearframeError extends Error {
  override readonly name = 'ClearframeError';
  /** Stable, for instance `uploads.too_large`; `connection.failed` where there was no answer. */
  readonly code: string;
  /** HTTP status of the answer, null where there was none: a lost connection, a task that failed. */
  readonly status: number | null;
  /** Names the request in the server's logs. */
  readonly requestId: string | null;
  /** What to do about it. */
  readonly remedy: string | null;
  /** How long the server asks to wait before a repetition. */
  readonly retryAfterSeconds: number | null;
  /** The problem of each field, or the limits that were reached. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, { code, cause, ...details }: ErrorDetails) {
    super(message, { cause });
    this.code = code;
    this.status = details.status ?? null;
    this.requestId = details.requestId ?? null;
    this.remedy = details.remedy ?? REMEDIES[code] ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.details = details.details ?? {};
  }

  /** Whether the same request may succeed later. */
  get isRetryable(): boolean {
    if (FINAL_CODES.includes(this.code)) return false;
    return RETRYABLE_CODES.includes(this.code) || RETRYABLE_STATUSES.includes(this.status ?? 0);
  }
}

type ProblemBody = Partial<Schemas['Problem']> & { readonly remedy?: string };

/** The error of an answer that is no success. */
export async function errorOf(response: Response): Promise<ClearframeError> {
  const problem = await readProblem(response);
  const details = Object.entries(problem.details ?? {}).map(([field, text]) => `${field}: ${String(text)}`);
  const description = problem.error_description ?? problem.title ?? `The server answered ${response.status}.`;
  return new ClearframeError([description, ...details].join(' '), {
    code: problem.error_code ?? `http.${response.status}`,
    status: response.status,
    requestId: problem.request_id ?? response.headers.get('x-request-id'),
    remedy: problem.remedy,
    retryAfterSeconds: secondsOf(response.headers.get('retry-after')),
    details: problem.details,
  });
}

async function readProblem(response: Response): Promise<ProblemBody> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    // A page of a proxy.
    return {};
  }
}

/** Seconds of a `Retry-After`, which is a number or a date. */
function secondsOf(header: string | null): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
