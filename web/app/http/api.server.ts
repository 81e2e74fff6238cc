import { setTimeout as pause } from 'node:timers/promises';
import {
  CAPTCHA_HEADER,
  type CaptchaRule,
  defaultRetrySecondsOf,
  ERRORS,
  type ErrorCode,
  fromWire,
  inMilliseconds,
  isErrorCode,
  Problem,
  pathOf,
  type RouteRequest,
  type RouteResult,
  type RouteSpec,
  snakeCase,
  TIME_LIMITS,
  toWire,
} from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { languageOf } from '../i18n/i18n.server';

interface ApiErrorOptions {
  readonly code: ErrorCode;
  readonly requestId: string;
  readonly status?: number;
  readonly description?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** An error of the API: its own, `service.unavailable` without a response, `service.internal` for an invalid one. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly requestId: string;
  readonly details: Readonly<Record<string, unknown>> | null;
  /** Seconds to wait before a retry, from `Retry-After`. */
  readonly retryAfter: number | null;

  constructor(options: ApiErrorOptions) {
    const { code, status = ERRORS[code].status, description = `${ERRORS[code].title}.`, cause } = options;
    super(description, { cause });
    this.code = code;
    this.status = status;
    this.requestId = options.requestId;
    this.details = options.details ?? null;
    this.retryAfter = options.retryAfter ?? defaultRetrySecondsOf(code) ?? null;
  }

  /** An error of the web server, with the catalogue's status. */
  static of(code: ErrorCode, requestId: string, cause?: unknown): ApiError {
    return new ApiError({ code, requestId, cause });
  }
}

export interface Caller {
  readonly context: AppLoadContext;
  /** Supplies language and country; aborting it aborts the call. */
  readonly request?: Request;
  /** The call survives the request's abort: for work that must finish, and shared responses. */
  readonly isDetached?: boolean;
  readonly token?: string | null;
  /** Calls with the same key take effect once. */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** Context of a call that finishes a payment: the API checks the request's country. */
interface PayingCaller extends Caller {
  readonly request: Request;
}

/** Context of a call that the API verifies by a captcha. */
export interface VerifiedCaller extends PayingCaller {
  readonly captchaToken: string | null;
}

type CallerFor<Route extends RouteSpec> = Route extends { readonly captcha: 'return' }
  ? PayingCaller
  : Route extends { readonly captcha: CaptchaRule }
    ? VerifiedCaller
    : Caller;

/**
 * Calls a route of the contract: converts case both ways and validates the response.
 * @throws ApiError
 */
export async function callApi<const Route extends RouteSpec>(
  route: Route,
  input: RouteRequest<Route>,
  caller: CallerFor<Route>,
): Promise<RouteResult<Route>> {
  const { requestId } = caller.context;
  let response: Response;
  let text: string;
  try {
    response = await fetch(urlOf(route, input, caller.context.settings.apiUrl), {
      method: route.method,
      headers: await headersOf(route, caller),
      body: route.body ? JSON.stringify(toWire(route.body, input.body)) : undefined,
      signal: signalOf(route, caller),
      redirect: 'error',
    });
    text = await response.text();
  } catch (cause) {
    // An aborted request is not an API error.
    if (!caller.isDetached) caller.request?.signal.throwIfAborted();
    throw ApiError.of('service.unavailable', requestId, cause);
  }
  return resultOf(route, response, text, requestId);
}

interface UntypedInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

function urlOf(route: RouteSpec, { params = {}, query = {} }: UntypedInput, apiUrl: URL): URL {
  const path = pathOf(route).replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(String(params[name])));
  const url = new URL(path, apiUrl);
  for (const [name, value] of Object.entries(query)) {
    const values = Array.isArray(value) ? value : [value];
    for (const item of values)
      if (item !== undefined && item !== null) url.searchParams.append(snakeCase(name), String(item));
  }
  return url;
}

async function headersOf(route: RouteSpec, caller: Caller & Partial<VerifiedCaller>): Promise<Headers> {
  const { context, request, token, idempotencyKey, captchaToken } = caller;
  const headers = new Headers({
    ...caller.headers,
    accept: 'application/json',
    'x-request-id': context.requestId,
    'x-forwarded-for': context.clientAddress,
    'x-clearframe-internal': context.settings.internalSecret,
  });
  if (context.traceparent) headers.set('traceparent', context.traceparent);
  if (token) headers.set('authorization', `Bearer ${token}`);
  if (idempotencyKey) headers.set('idempotency-key', idempotencyKey);
  if (captchaToken) headers.set(CAPTCHA_HEADER, captchaToken);
  // The API writes mails in this language.
  if (request) headers.set('accept-language', await languageOf(request));
  // Set by the proxy, or locally by the client.
  const { countryHeader } = context.settings;
  const country = countryHeader && request?.headers.get(countryHeader);
  if (countryHeader && country) headers.set(countryHeader, country);
  if (route.body) headers.set('content-type', 'application/json');
  return headers;
}

/** Longer where the API asks a payment provider. */
const limitOf = ({ tag, method }: RouteSpec, { settings }: AppLoadContext): number =>
  tag === 'billing' && method !== 'GET' ? TIME_LIMITS.payment.web : settings.apiTimeoutMs;

function signalOf(route: RouteSpec, { context, request, isDetached = false, timeoutMs }: Caller): AbortSignal {
  const limit = AbortSignal.timeout(timeoutMs ?? limitOf(route, context));
  return request && !isDetached ? AbortSignal.any([request.signal, limit]) : limit;
}

function resultOf<Route extends RouteSpec>(
  route: Route,
  response: Response,
  text: string,
  requestId: string,
): RouteResult<Route> {
  if (!response.ok) throw problemIn(response.status, response.headers.get('retry-after'), text, requestId);
  const schema = route.responses[response.status];
  if (schema === null) return undefined as RouteResult<Route>;
  const parsed = schema?.safeParse(fromWire(schema, parseJson(text)));
  if (!parsed?.success) throw ApiError.of('service.internal', requestId, parsed?.error);
  return parsed.data as RouteResult<Route>;
}

/** Reads an error response of the API or of a proxy. */
export function problemIn(status: number, retryAfter: string | null, text: string, requestId: string): ApiError {
  const parsed = Problem.safeParse(fromWire(Problem, parseJson(text)));
  if (parsed.success && isErrorCode(parsed.data.errorCode)) {
    const { errorCode, errorDescription, details, requestId: apiRequestId } = parsed.data;
    const seconds = retryAfter ? Number(retryAfter) : Number.NaN;
    return new ApiError({
      code: errorCode,
      status,
      description: errorDescription,
      requestId: apiRequestId,
      details,
      retryAfter: Number.isFinite(seconds) ? seconds : undefined,
    });
  }
  return ApiError.of(status >= 502 && status <= 504 ? 'service.unavailable' : 'service.internal', requestId, text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Encoding finishes before the response. */
export const EXPORT_TIMEOUT_MS = inMilliseconds.seconds(25);

const FORWARDED_HEADERS = ['content-type', 'content-disposition', 'content-length'];

type FileRoute = RouteSpec & { readonly method: 'GET'; readonly file: readonly string[] };

/**
 * Streams a file of the API to the browser, no faster than the browser reads it. The time limit is for the response's
 * start: a download may take long.
 * @throws ApiError
 */
export async function downloadFromApi<const Route extends FileRoute>(
  route: Route,
  input: RouteRequest<Route>,
  caller: Caller & { readonly request: Request },
): Promise<Response> {
  const { context, request } = caller;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('no response in time')), EXPORT_TIMEOUT_MS);
  try {
    const response = await fetch(urlOf(route, input, context.settings.apiUrl), {
      headers: await headersOf(route, caller),
      signal: AbortSignal.any([request.signal, late.signal]),
      redirect: 'error',
    });
    if (!response.ok || !response.body)
      throw problemIn(response.status, response.headers.get('retry-after'), await response.text(), context.requestId);
    const headers = new Headers({ 'cache-control': 'no-store' });
    for (const name of FORWARDED_HEADERS) {
      const value = response.headers.get(name);
      if (value) headers.set(name, value);
    }
    return new Response(throttled(response.body, context.whenWritable), { headers });
  } catch (cause) {
    request.signal.throwIfAborted();
    throw cause instanceof ApiError ? cause : ApiError.of('service.unavailable', context.requestId, cause);
  } finally {
    clearTimeout(timer);
  }
}

function throttled(body: ReadableStream<Uint8Array>, whenWritable: () => Promise<void>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await whenWritable();
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

const MAX_ATTEMPTS = 8;
const RETRY_DELAY_MS = 500;

/**
 * Retries while an idempotent call with the same key is running, as after a repeated form.
 * @throws ApiError
 */
export async function retryWhileInProgress<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isRunning = error instanceof ApiError && error.code === 'idempotency.in_progress';
      if (!isRunning || attempt === MAX_ATTEMPTS) throw error;
      await pause(RETRY_DELAY_MS);
    }
  }
}
