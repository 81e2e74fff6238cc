import type { FastifyInstance } from 'fastify';
import { answerProblem } from '../errors/problem.filter.js';

/**
 * A corner of the server for bytes: bodies arrive as streams whatever their content type, nothing is parsed or held,
 * and errors are problems as everywhere.
 */
export async function rawScope(fastify: FastifyInstance, register: (scope: FastifyInstance) => void): Promise<void> {
  await fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.setErrorHandler(answerProblem);
    register(scope);
  });
}
