import { ERRORS, PROBLEM_CONTENT_TYPE, Problem, problemOf, toWire } from '@clearframe/contract';
import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from './app-error.js';
import { asAppError } from './translate.js';

/** Answers a refusal as `application/problem+json`. Used by Nest's routes and by the raw ones alike. */
export function sendProblem(error: AppError, request: FastifyRequest, reply: FastifyReply): void {
  const { description, details, retryAfterSeconds } = error.options;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterSeconds))));
  reply
    .status(error.status)
    .header('content-type', PROBLEM_CONTENT_TYPE)
    .header('cache-control', 'no-store')
    .send(JSON.stringify(toWire(Problem, problemOf(error.code, request.id, description, details))));
}

@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger(ProblemFilter.name);

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const error = asAppError(thrown);
    if (ERRORS[error.code].report) {
      this.logger.error(
        { requestId: request.id, code: error.code, err: error.options.cause ?? error },
        'request failed',
      );
    }
    if (reply.sent) return;
    sendProblem(error, request, reply);
  }
}
