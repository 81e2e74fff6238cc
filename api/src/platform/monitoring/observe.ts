import { Logger } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.js';

/** Asked every few seconds by whoever watches over us. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Gives every answer its request id, a line in the log and a place in the metrics. On the server itself, so that the
 * raw routes and what no route was found for are seen as well. A query can hold a signature or a code and is never
 * logged: the path is enough to know what was called.
 */
export function observeRequests(fastify: FastifyInstance, metrics: Metrics): void {
  const logger = new Logger('Http');
  fastify.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  fastify.addHook('onResponse', async (request, reply) => {
    const { method, id: requestId } = request;
    const { statusCode: status, elapsedTime } = reply;
    metrics.requests.observe(
      { method, route: request.routeOptions.url ?? 'none', status: String(status) },
      elapsedTime / 1000,
    );
    const [path = ''] = request.url.split('?');
    const line = { requestId, method, path, status, ms: Math.round(elapsedTime) };
    if (PROBES.has(path)) logger.debug(line, 'request');
    else logger.log(line, 'request');
  });
}
