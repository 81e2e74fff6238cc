import { ERRORS } from '@clearframe/contract';
import type { FastifyError, FastifyInstance } from 'fastify';
import { sendProblem } from '../errors/problem.filter.js';
import { asAppError } from '../errors/translate.js';

/**
 * A corner of the server for bytes: bodies arrive as streams whatever their content type, nothing is parsed or held,
 * and errors are problems as everywhere.
 */
export async function rawScope(fastify: FastifyInstance, register: (scope: FastifyInstance) => void): Promise<void> {
  await fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.setErrorHandler((thrown: FastifyError, request, reply) => {
      const error = asAppError(thrown);
      if (ERRORS[error.code].report) request.log.error({ err: thrown }, 'request failed');
      sendProblem(error, request, reply);
    });
    register(scope);
  });
}
