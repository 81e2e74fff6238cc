import { ERRORS, megabytes, PROBLEM_CONTENT_TYPE, Problem, problemOf, toWire } from '@clearframe/contract';
import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from './app-error.js';
import { asAppError } from './translate.js';

const logger = new Logger('Problem');

/** What is left of a refused body is still taken in up to this size; whoever sends more is hung up on. */
const DRAINED_BYTES = megabytes(64);

/**
 * Fastify hangs up on a body that is too large. Whoever is still sending it would find the line cut and never see why:
 * a body of bearable size is read to its end instead, which Node does by itself on a connection that stays.
 */
function keepLineOpen(request: FastifyRequest, reply: FastifyReply): void {
  if (Number(request.headers['content-length']) <= DRAINED_BYTES) reply.removeHeader('connection');
}

function sendProblem(error: AppError, request: FastifyRequest, reply: FastifyReply): void {
  const { description, details, retryAfterSeconds } = error.options;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterSeconds))));
  keepLineOpen(request, reply);
  reply
    .status(error.status)
    .header('content-type', PROBLEM_CONTENT_TYPE)
    .header('cache-control', 'no-store')
    // An address that can't be read is answered before any hook has run.
    .header('x-request-id', request.id)
    // As bytes: to a string Fastify adds a charset, a parameter that this type does not have.
    .send(Buffer.from(JSON.stringify(toWire(Problem, problemOf(error.code, request.id, description, details)))));
}

/**
 * Answers whatever was thrown as `application/problem+json`, and tells the log when it is our fault. Nest's routes,
 * the raw ones and Fastify's own refusals (a body or an address that can't be read) all end here.
 */
export function answerProblem(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = asAppError(thrown);
  if (ERRORS[error.code].report) {
    logger.error({ requestId: request.id, code: error.code, err: error.options.cause ?? error }, 'request failed');
  }
  if (!reply.sent) sendProblem(error, request, reply);
}

@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    answerProblem(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}
