import { createServer, type Server } from 'node:http';
import type { ServerBuild } from '@remix-run/node';
import { matchRoutes } from '@remix-run/react';
import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Pages } from './assets.ts';

/** Patterns of the pages' addresses. */
function patternsOf({ routes }: ServerBuild): { path: string }[] {
  const pathOf = (id: string | undefined): string => {
    const route = id === undefined ? undefined : routes[id];
    return route ? `${pathOf(route.parentId)}/${route.path ?? ''}`.replace(/\/+/g, '/') : '';
  };
  return Object.keys(routes).map((id) => ({ path: pathOf(id) }));
}

/** Response times of pages and of their data, by the pattern of the address: addresses hold ids. */
export class PageMetrics {
  private readonly registry = new Registry();
  private readonly seconds = new Histogram({
    name: 'clearframe_page_seconds',
    help: 'Response time of pages by route and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Comes after all handlers of what is no page. */
  observe({ build }: Pages): RequestHandler {
    // Those of `npm run dev` change.
    const fixed = typeof build === 'function' ? null : patternsOf(build);
    return (request, response, next) => {
      const startedAt = performance.now();
      // Ended by the client, it says nothing about the server.
      response.once('finish', async () => {
        const patterns = fixed ?? (typeof build === 'function' ? patternsOf(await build()) : []);
        const route = matchRoutes(patterns, request.path)?.at(-1)?.route.path ?? 'none';
        const labels = { method: request.method, route, status: String(response.statusCode) };
        this.seconds.observe(labels, (performance.now() - startedAt) / 1000);
      });
      next();
    };
  }

  /** `/metrics` on a port of its own, since that of the pages is public. */
  serve(port: number, host: string): Server {
    const server = createServer(async ({ method, url }, response) => {
      const isFound = method === 'GET' && url?.split('?')[0] === '/metrics';
      response.writeHead(isFound ? 200 : 404, { 'content-type': this.registry.contentType });
      response.end(isFound ? await this.registry.metrics() : '');
    });
    return server.listen(port, host);
  }
}
