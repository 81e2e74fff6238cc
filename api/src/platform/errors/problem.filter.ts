import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import {
  defaultRetrySecondsOf,
  ERRORS,
  megabytes,
  PROBLEM_CONTENT_TYPE,
  Problem,
  problemOf,
  toWire,
} from '@clearframe/contract';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
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

const logger = new Logger('Problem');

/** Rejected bodies up to this size are read to the end; above it the connection is closed. */
const DRAINED_BYTES = megabytes(64);

/**
 * Fastify closes the connection when a body is too large, so a client that is still sending never reads the response.
 */
function keepConnectionOpen(request: FastifyRequest, reply: FastifyReply): void {
  if (Number(request.headers['content-length']) <= DRAINED_BYTES) reply.removeHeader('connection');
}

function sendProblem(error: AppError, request: FastifyRequest, reply: FastifyReply): void {
  const { description, details, fileBytes } = error.options;
  const retryAfterSeconds = error.options.retryAfterSeconds ?? defaultRetrySecondsOf(error.code);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterSeconds))));
  if (fileBytes !== undefined) reply.header('content-range', `bytes */${fileBytes}`);
  // Required by RFC 9110; browsers show no prompt for this scheme.
  if (error.status === 401) reply.header('www-authenticate', 'Bearer');
  keepConnectionOpen(request, reply);
  reply
    .status(error.status)
    .header('content-type', PROBLEM_CONTENT_TYPE)
    .header('cache-control', 'no-store')
    // Malformed URLs are rejected before any hook has run.
    .header('x-request-id', request.id)
    // Sent as bytes: Fastify would add a charset to a string, which this content type does not define.
    .send(Buffer.from(JSON.stringify(toWire(Problem, problemOf(error.code, request.id, description, details)))));
}

/** Server errors, and which dependency failed: a 503 alone doesn't say. */
function logProblem(error: AppError, requestId: string): void {
  const { code } = error;
  const { cause } = error.options;
  if (ERRORS[code].report) logger.error({ requestId, code, err: cause ?? error }, 'request failed');
  else if (ERRORS[code].status === 503 && cause) logger.warn({ requestId, code, err: cause }, 'dependency unavailable');
}

/** Responds to an error of a Nest route, a raw route or Fastify itself, and logs why it failed. */
export function respondWithProblem(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = asAppError(thrown);
  logProblem(error, request.id);
  if (!reply.sent) sendProblem(error, request, reply);
}

@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    respondWithProblem(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}

/** For malformed HTTP and oversized headers, for which Fastify creates no request. */
export function respondToClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  // The client has disconnected.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const requestId = randomUUID();
  const code = 'request.malformed';
  const body = JSON.stringify(toWire(Problem, problemOf(code, requestId)));
  socket.end(
    [
      `HTTP/1.1 ${ERRORS[code].status} Bad Request`,
      `content-type: ${PROBLEM_CONTENT_TYPE}`,
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'cache-control: no-store',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
