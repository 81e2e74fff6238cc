import { ERRORS, type ErrorCode, ReachedVideoLimit } from '@clearframe/contract';
import { type AppLoadContext, data } from '@remix-run/node';
import { ApiError } from './api.server';
import type { ProblemView } from './browser-client';

interface Caught {
  readonly request: Request;
  readonly context: AppLoadContext;
}

/**
 * Converts any error to an {@link ApiError} and logs unexpected ones.
 * @throws Response a caught redirect or page, and the reason of an aborted request
 */
export function asApiError(error: unknown, { request, context: { logger, requestId } }: Caught): ApiError {
  if (error instanceof Response) throw error;
  request.signal.throwIfAborted();
  if (error instanceof ApiError) {
    if (ERRORS[error.code].report) logger.error({ err: error }, 'API error');
    return error;
  }
  logger.error({ err: error }, 'unhandled error');
  return ApiError.of('service.internal', requestId, error);
}

/** Null when it fails: for parts that a page can do without. */
export const orNull = <Part>(work: Promise<Part>, exchange: Caught): Promise<Part | null> =>
  work.catch((error: unknown) => {
    asApiError(error, exchange);
    return null;
  });

export function problemViewOf(error: ApiError): ProblemView {
  const { code, requestId } = error;
  const limit = reachedLimitOf(error);
  return limit ? { code, requestId, limit } : { code, requestId };
}

/** The limit that a video exceeds; null for other errors. */
export const reachedLimitOf = ({ code, details }: ApiError): ReachedVideoLimit | null =>
  code === 'videos.limit_reached' ? (ReachedVideoLimit.safeParse(details).data ?? null) : null;

/** Action data with the error, its status and `Retry-After`. */
export const problemData = (error: ApiError) =>
  data({ problem: problemViewOf(error) }, { status: error.status, headers: retryHeaders(error) });

/** For scripts. */
export const problemResponse = (error: ApiError): Response =>
  Response.json({ problem: problemViewOf(error) }, { status: error.status, headers: retryHeaders(error) });

/** What the error boundary of a page gets. */
export const problemPage = (error: ApiError): Response =>
  Response.json(problemViewOf(error), { status: error.status, headers: retryHeaders(error) });

const retryHeaders = ({ retryAfter }: ApiError): HeadersInit =>
  retryAfter === null ? {} : { 'retry-after': String(retryAfter) };

/** Shows an error page. */
export function throwPageFor(code: ErrorCode, { requestId }: AppLoadContext): never {
  throw ApiError.of(code, requestId);
}
