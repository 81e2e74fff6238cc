import {
  defaultRetrySecondsOf,
  ERRORS,
  megabytes,
  PROBLEM_CONTENT_TYPE,
  Problem,
  problemOf,
  toWire,
} from '@clearframe/contract';
import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from './app-error.js';
import { asAppError } from './translate.js';

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
