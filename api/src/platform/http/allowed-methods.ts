import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/app-error.js';
import { preflightHeaders } from './cors.js';

/** A mounted path; a parameter is one segment, a wildcard the rest. */
const patternOf = (path: string): RegExp => {
  const literal = path.replace(/[.+?^${}()|[\]\\@]/g, '\\$&');
  return new RegExp(`^${literal.replace(/:\w+/g, '[^/]+').replace(/\*/g, '.*')}/?$`);
};

/** As the router prefers them: literal paths, then parameters, then wildcards. */
const rankOf = (path: string): number => (path.includes('*') ? 2 : path.includes(':') ? 1 : 0);

interface KnownPath {
  readonly rank: number;
  readonly pattern: RegExp;
  readonly methods: Set<string>;
  /** Those that scripts of other origins may use. */
  readonly ofOtherOrigins: Set<string>;
}

/**
 * A known path by another method is a 405 with `Allow`; `OPTIONS` asks for it, a preflight for what scripts of other
 * origins may send. Sees the routes that are mounted later.
 */
export function rejectUnsupportedMethods(fastify: FastifyInstance): void {
  const knownPaths = new Map<string, KnownPath>();
  fastify.addHook('onRoute', ({ url, method, config }) => {
    const known = knownPaths.get(url) ?? {
      rank: rankOf(url),
      pattern: patternOf(url),
      methods: new Set(),
      ofOtherOrigins: new Set(),
    };
    for (const name of [method].flat()) {
      known.methods.add(name);
      if (config?.cors) known.ofOtherOrigins.add(name);
    }
    knownPaths.set(url, known);
  });
  fastify.addHook('onRequest', async (request, reply) => {
    const asked = request.method === 'OPTIONS' ? request.headers['access-control-request-method'] : undefined;
    if (!request.is404 && asked === undefined) return;
    const [path = ''] = request.url.split('?');
    const known = [...knownPaths.values()].filter(({ pattern }) => pattern.test(path)).sort((a, b) => a.rank - b.rank);
    if (known.length === 0) return;
    const methods = known.flatMap((one) => [...one.methods]);
    reply.header('allow', [...new Set([...methods, 'OPTIONS'])].sort().join(', '));
    const ofOtherOrigins = methods.filter((name) =>
      known.find((one) => one.methods.has(name))?.ofOtherOrigins.has(name),
    );
    if (asked && ofOtherOrigins.includes(asked)) reply.headers(preflightHeaders([...new Set(ofOtherOrigins)].sort()));
    if (request.method !== 'OPTIONS') throw new AppError('request.method_not_allowed');
    await reply.status(204).header('cache-control', 'no-store').send();
  });
}
