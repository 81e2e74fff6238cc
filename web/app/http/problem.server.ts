import { ERRORS, type ErrorCode } from '@clearframe/contract';
import { type AppLoadContext, data } from '@remix-run/node';
import { ApiError } from './api.server';
import type { ProblemView } from './problem';

/** Any error as an {@link ApiError}. Others are logged, as defects of ours. */
export function asApiError(error: unknown, { logger, requestId }: AppLoadContext): ApiError {
  if (error instanceof ApiError) {
    if (ERRORS[error.code].report) logger.error({ err: error }, 'the backend failed');
    return error;
  }
  logger.error({ err: error }, 'unhandled');
  return ApiError.of('service.internal', requestId, error);
}

export const problemViewOf = ({ code, requestId }: ApiError): ProblemView => ({ code, requestId });

/** Data for the same page, with the API's status and `Retry-After`. */
export const problemData = (error: ApiError, headers: Headers) =>
  data({ problem: problemViewOf(error) }, { status: error.status, headers: refusalHeaders(error, headers) });

/** The same for a script. */
export const problemResponse = (error: ApiError, headers = new Headers()): Response =>
  Response.json({ problem: problemViewOf(error) }, { status: error.status, headers: refusalHeaders(error, headers) });

function refusalHeaders(error: ApiError, headers: Headers): Headers {
  if (error.retryAfter !== null) headers.set('retry-after', String(error.retryAfter));
  headers.set('cache-control', 'no-store');
  return headers;
}

/** Throws the page of an error. */
export function throwProblemPage(error: ApiError, headers?: HeadersInit): never {
  throw Response.json(problemViewOf(error), {
    status: error.status,
    headers: refusalHeaders(error, new Headers(headers)),
  });
}

/** Throws the page of a code without a call to the API. */
export function throwPageFor(code: ErrorCode, { requestId }: AppLoadContext, headers?: HeadersInit): never {
  throwProblemPage(ApiError.of(code, requestId), headers);
}
