import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/app-error.js';

/** A mounted path; a parameter is one segment, a wildcard the rest. */
const patternOf = (path: string): RegExp => {
  const literal = path.replace(/[.+?^${}()|[\]\\@]/g, '\\$&');
  return new RegExp(`^${literal.replace(/:\w+/g, '[^/]+').replace(/\*/g, '.*')}/?$`);
};

/**
 * A known path by another method is a 405 with `Allow`; `OPTIONS` asks for it. Sees the routes that are mounted later.
 */
export function rejectUnsupportedMethods(fastify: FastifyInstance): void {
  const methodsByPath = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  fastify.addHook('onRoute', ({ url, method }) => {
    const known = methodsByPath.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const name of [method].flat()) known.methods.add(name);
    methodsByPath.set(url, known);
  });
  fastify.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return;
    const [path = ''] = request.url.split('?');
    const methods = [...methodsByPath.values()].flatMap((known) =>
      known.pattern.test(path) ? [...known.methods] : [],
    );
    if (methods.length === 0) return;
    reply.header('allow', [...new Set([...methods, 'OPTIONS'])].sort().join(', '));
    if (request.method !== 'OPTIONS') throw new AppError('request.method_not_allowed');
    await reply.status(204).header('cache-control', 'no-store').send();
  });
}
