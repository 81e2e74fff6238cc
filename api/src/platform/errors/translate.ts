import { HttpException } from '@nestjs/common';
import { AppError } from './app-error.js';

/** SQLSTATE classes: connection, shutdown, no slots, deadlock, statement timeout. */
const DATABASE_UNAVAILABLE = /^(08...|57P0[1-5]|53300|40P01|57014)$/;
const NETWORK_UNAVAILABLE = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EPIPE', 'EHOSTUNREACH']);
/** Errors of pg, TypeORM and ioredis without a code. */
const UNAVAILABLE_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Driver not Connected|Connection is closed|not queryable|query runner (was )?already released/i;
const RETRY_SECONDS = 5;

function isDependencyUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (DATABASE_UNAVAILABLE.test(code) || NETWORK_UNAVAILABLE.has(code))) return true;
  if (UNAVAILABLE_MESSAGES.test(error.message)) return true;
  if (error instanceof AggregateError) return error.errors.some(isDependencyUnavailable);
  const { driverError } = error as { driverError?: unknown };
  return isDependencyUnavailable(driverError) || isDependencyUnavailable(error.cause);
}

const FASTIFY_ERRORS: Readonly<Record<string, AppError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new AppError('request.too_large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new AppError('request.unsupported_media_type'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new AppError('request.malformed', {
    description: 'Content-Length does not match the body.',
  }),
  FST_ERR_BAD_URL: new AppError('request.not_found'),
  // Longer than any id.
  FST_ERR_MAX_PARAM_LENGTH: new AppError('request.not_found'),
};

export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDependencyUnavailable(error)) {
    return new AppError('service.unavailable', { retryAfterSeconds: RETRY_SECONDS, cause: error });
  }
  const known = FASTIFY_ERRORS[fastifyCodeOf(error) ?? ''];
  if (known) return known;
  const status = clientStatusOf(error);
  if (status === 404) return new AppError('request.not_found');
  if (status === 413) return new AppError('request.too_large');
  if (status === 415) return new AppError('request.unsupported_media_type');
  if (status !== null) return new AppError('request.malformed', { cause: error });
  return new AppError('service.internal', { cause: error });
}

function fastifyCodeOf(error: unknown): string | null {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && code.startsWith('FST_') ? code : null;
}

/** SDKs also put the status of their own responses in `statusCode`; theirs is no answer to our client. */
function clientStatusOf(error: unknown): number | null {
  const { statusCode } = error as { statusCode?: unknown };
  const status = error instanceof HttpException ? error.getStatus() : fastifyCodeOf(error) && statusCode;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : null;
}
