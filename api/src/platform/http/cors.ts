import { EnhancementHeaders } from '@clearframe/contract';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Scripts of other origins may call the route, without cookies. */
    cors?: boolean;
  }
}

/** Request headers of scripts. Not those of keys, which no page may hold. */
const SENT = [
  'authorization',
  'content-type',
  'idempotency-key',
  'prefer',
  'range',
  'tus-resumable',
  'upload-length',
  'upload-offset',
];

/** Response headers that scripts may read. */
const READ = [
  'content-disposition',
  'content-length',
  'content-range',
  'deprecation',
  'idempotency-replayed',
  'link',
  'location',
  'preference-applied',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'sunset',
  'tus-resumable',
  'upload-expires',
  'upload-length',
  'upload-offset',
  'x-request-id',
  ...Object.keys(EnhancementHeaders.shape).map((name) => name.toLowerCase()),
];

/** How long a browser may keep the answer to a preflight; Chrome's maximum. */
const MAX_AGE_SECONDS = 7_200;

/** Sets the headers of routes with `cors`, also of their errors. */
export function allowOtherOrigins(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async (request, reply) => {
    if (!request.routeOptions.config.cors) return;
    reply.headers({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': READ.join(', '),
      // Pages may show pictures without CORS, too.
      'cross-origin-resource-policy': 'cross-origin',
    });
  });
}

/** Answer to a preflight, for a path with these methods. */
export const preflightHeaders = (methods: readonly string[]): Record<string, string> => ({
  'access-control-allow-origin': '*',
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers': SENT.join(', '),
  'access-control-max-age': String(MAX_AGE_SECONDS),
});
