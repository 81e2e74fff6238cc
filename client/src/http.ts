import { ClearframeError, errorOf } from './errors.ts';

const API_PATH = '/api/v1/web';
/** An answer may take the longest wait that a request can ask for, and a slow server's time. */
const ANSWER_MS = 100_000;
/** The server's own limit of a request: 50 MB at a quarter of a megabit a second. */
const UPLOAD_MS = 30 * 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** Where nothing has ever answered, the address is more likely wrong than the service down. */
const FIRST_CONTACT_SECONDS = 8;

export interface HttpOptions {
  readonly apiKey: string;
  readonly baseUrl: string;
  /** Of a key that is bound to a device. */
  readonly deviceId?: string;
  readonly fetch: typeof fetch;
  /** How long a call is repeated. */
  readonly retrySeconds: number;
}

export interface Call {
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly json?: unknown;
  readonly body?: Blob | FormData;
  readonly headers?: Readonly<Record<string, string>>;
  /** By default a new one for each POST, which its repetitions share. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** Requests, repeated while they fail for reasons that pass. Every POST has an idempotency key, so that none is done twice. */
export class Http {
  private readonly options: HttpOptions;
  private hasAnswered = false;

  constructor(options: HttpOptions) {
    this.options = options;
  }

  async json<Result>(method: string, path: string, call: Call = {}): Promise<Result> {
    return this.request(method, path, call, async (response) =>
      response.status === 204 ? undefined : await response.json(),
    );
  }

  /** @param read takes what is needed of the answer; the request is repeated where that fails, too */
  async request<Result>(
    method: string,
    path: string,
    { query = {}, json, headers = {}, idempotencyKey, ...call }: Call,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const url = new URL(`${originOf(this.options.baseUrl)}${API_PATH}${path}`);
    for (const [name, values] of Object.entries(query))
      for (const value of [values ?? []].flat()) url.searchParams.append(name, String(value));
    const key = idempotencyKey ?? (method === 'POST' ? crypto.randomUUID() : undefined);
    const { apiKey, deviceId } = this.options;
    const all = {
      // Unlike `X-Api-Key`, not sent to another host that an answer redirects to.
      authorization: `Bearer ${apiKey}`,
      ...(deviceId !== undefined && { 'x-device-id': deviceId }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    };
    const body = json === undefined ? call.body : JSON.stringify(json);
    return this.retry(
      () => this.once(url.href, { method, headers: all, body, signal: call.signal }, read),
      call.signal,
    );
  }

  /** Repeats until it succeeds, fails for good, or the time for repetitions is over. */
  async retry<Result>(attempt: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    let firstFailure: number | null = null;
    for (let failures = 0; ; failures++) {
      signal?.throwIfAborted();
      try {
        return await attempt();
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof ClearframeError) || !error.isRetryable) throw error;
        firstFailure ??= Date.now();
        const pauseMs = pauseAfter(failures, error.retryAfterSeconds);
        const { retrySeconds } = this.options;
        const seconds = this.hasAnswered ? retrySeconds : Math.min(retrySeconds, FIRST_CONTACT_SECONDS);
        if (Date.now() - firstFailure + pauseMs > seconds * 1000) throw error;
        await pause(pauseMs, signal);
      }
    }
  }

  /**
   * One request, without the key: for signed addresses.
   * @throws ClearframeError also for a connection that was lost while the answer was read
   */
  async once<Result>(
    url: string,
    { signal, ...init }: Omit<RequestInit, 'signal'> & { signal?: AbortSignal },
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const limit = new AbortController();
    const timer = setTimeout(
      () => limit.abort(new Error('no answer in time')),
      init.body instanceof Blob || init.body instanceof FormData ? UPLOAD_MS : ANSWER_MS,
    );
    try {
      const response = await this.options.fetch(url, {
        ...init,
        signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
      });
      this.hasAnswered = true;
      if (!response.ok) throw await errorOf(response);
      return await read(response);
    } catch (error) {
      throw error instanceof ClearframeError || signal?.aborted ? error : connectionError(url, error);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The origin of an address of the product, also where the path of its API was given. */
const originOf = (baseUrl: string): string => baseUrl.replace(/\/+$/, '').replace(/\/api(?:\/v1(?:\/web)?)?$/, '');

export function connectionError(url: string, cause: unknown): ClearframeError {
  const { origin } = new URL(url);
  const reason = cause instanceof Error ? codeOf(cause) : String(cause);
  return new ClearframeError(`No answer from ${origin} (${reason}).`, { code: 'connection.failed', cause });
}

/** The system's code, for instance ECONNREFUSED; without one its words. */
const codeOf = ({ cause, message }: Error): string =>
  cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : message;

/** Full jitter, so that clients that failed together don't return together. */
const pauseAfter = (failures: number, retryAfterSeconds: number | null): number =>
  retryAfterSeconds === null
    ? FIRST_PAUSE_MS / 2 + Math.random() * Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)
    : retryAfterSeconds * 1000 + Math.random() * FIRST_PAUSE_MS;

/** @throws the signal's reason */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
