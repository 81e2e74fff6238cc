import { redactedPath } from '@clearframe/contract';
import { Logger } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.js';

/** Polled every few seconds; logged at debug level. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Adds request ids, logs and metrics. Fastify hooks also see raw routes and unknown paths. Queries are not logged: they
 * can contain signatures and codes.
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
    const path = redactedPath(request.url);
    const line = { requestId, method, path, status, ms: Math.round(elapsedTime) };
    if (PROBES.has(path)) logger.debug(line, 'request');
    else logger.log(line, 'request');
  });
}
