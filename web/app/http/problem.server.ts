import { ERRORS, type ErrorCode, ReachedVideoLimit } from '@clearframe/contract';
import { type AppLoadContext, data } from '@remix-run/node';
import { ApiError } from './api.server';
import type { ProblemView } from './browser-client';

/** Converts any error to an {@link ApiError} and logs unexpected ones. */
export function asApiError(error: unknown, { logger, requestId }: AppLoadContext): ApiError {
  if (error instanceof ApiError) {
    if (ERRORS[error.code].report) logger.error({ err: error }, 'API error');
    return error;
  }
  logger.error({ err: error }, 'unhandled error');
  return ApiError.of('service.internal', requestId, error);
}

export function problemViewOf(error: ApiError): ProblemView {
  const { code, requestId } = error;
  const limit = reachedLimitOf(error);
  return limit ? { code, requestId, limit } : { code, requestId };
}

/** The limit that a video exceeds; null for other errors. */
export const reachedLimitOf = ({ code, details }: ApiError): ReachedVideoLimit | null =>
  code === 'videos.limit_reached' ? (ReachedVideoLimit.safeParse(details).data ?? null) : null;

/** Action data with the error, its status and `Retry-After`. */
export const problemData = (error: ApiError, headers: Headers) =>
  data(
    { problem: problemViewOf(error) },
    { status: error.status, headers: allowBackCache(refusalHeaders(error, headers)) },
  );

/**
 * For the answer to a refused form: without JavaScript, browsers show it again when the visitor goes back to it, which
 * they can't with `no-store`.
 */
export function allowBackCache(headers: Headers): Headers {
  headers.set('cache-control', 'private, no-cache');
  return headers;
}

export const problemResponse = (error: ApiError, headers = new Headers()): Response =>
  Response.json({ problem: problemViewOf(error) }, { status: error.status, headers: refusalHeaders(error, headers) });

function refusalHeaders(error: ApiError, headers: Headers): Headers {
  if (error.retryAfter !== null) headers.set('retry-after', String(error.retryAfter));
  headers.set('cache-control', 'no-store');
  return headers;
}

export function throwProblemPage(error: ApiError, headers?: HeadersInit): never {
  throw Response.json(problemViewOf(error), {
    status: error.status,
    headers: refusalHeaders(error, new Headers(headers)),
  });
}

export function throwPageFor(code: ErrorCode, { requestId }: AppLoadContext, headers?: HeadersInit): never {
  throwProblemPage(ApiError.of(code, requestId), headers);
}
