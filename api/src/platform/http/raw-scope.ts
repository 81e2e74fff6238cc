import type { FastifyInstance } from 'fastify';
import { respondWithProblem } from '../errors/problem.filter.js';

export async function rawScope(fastify: FastifyInstance, register: (scope: FastifyInstance) => void): Promise<void> {
  await fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.setErrorHandler(respondWithProblem);
    register(scope);
  });
}
