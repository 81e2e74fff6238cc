import type { FastifyInstance } from 'fastify';
import { answerProblem } from '../errors/problem.filter.js';

/**
 * A Fastify scope whose request bodies are streams, whatever their content type. Errors are problem documents as on other
 * routes.
 */
export async function rawScope(fastify: FastifyInstance, register: (scope: FastifyInstance) => void): Promise<void> {
  await fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.setErrorHandler(answerProblem);
    register(scope);
  });
}
