import { redactedPath } from '@clearframe/contract';
import { Injectable, Logger } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** A registry of its own: two applications in one process would collide. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  readonly requests = new Histogram({
    name: 'clearframe_http_request_seconds',
    help: 'Response time by route and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.registry],
  });

  readonly runs = new Counter({
    name: 'clearframe_runs_total',
    help: 'Pipeline runs that ended, by outcome',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }
}

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
