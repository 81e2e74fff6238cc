import { redactedPath } from '@clearframe/contract';
import { isTracing, SpanKind, startSpan, within } from '@clearframe/runtime/tracing';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import type { Pool } from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

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
    help: 'Runs that ended, by queue and outcome',
    labelNames: ['queue', 'outcome'] as const,
    registers: [this.registry],
  });

  /** Pictures and videos: the objective is that all but one of a hundred end within a minute. */
  readonly runSeconds = new Histogram({
    name: 'clearframe_run_seconds',
    help: 'Time from the request of a run to its outcome',
    labelNames: ['queue', 'outcome'] as const,
    buckets: [1, 2.5, 5, 10, 20, 40, 60, 120, 300, 900, 3600],
    registers: [this.registry],
  });

  constructor(@InjectDataSource() database: DataSource) {
    collectDefaultMetrics({ register: this.registry });
    const pool: Pool = (database.driver as PostgresDriver).master;
    new Gauge({
      name: 'clearframe_database_connections',
      help: 'Connections of this process to PostgreSQL by state, and requests that wait for one',
      labelNames: ['state'] as const,
      registers: [this.registry],
      collect() {
        this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
        this.set({ state: 'idle' }, pool.idleCount);
        this.set({ state: 'waiting' }, pool.waitingCount);
        this.set({ state: 'limit' }, pool.options.max);
      },
    });
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
  if (isTracing()) fastify.addHook('onRequest', traceRequest);
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

/** Its handlers run within a span: a run that they add has the request as its cause. */
const traceRequest: onRequestHookHandler = (request, reply, done) => {
  if (PROBES.has(request.url)) return done();
  const { method, headers, id, routeOptions } = request;
  const route = routeOptions.url ?? 'none';
  const span = startSpan(`${method} ${route}`, {
    kind: SpanKind.SERVER,
    traceparent: [headers.traceparent].flat()[0],
    attributes: { 'http.request.method': method, 'http.route': route, 'clearframe.request_id': id },
  });
  // Also for a client that has left.
  reply.raw.once('close', () => {
    span.setAttribute('http.response.status_code', reply.statusCode);
    span.end();
  });
  within(span, done);
};
