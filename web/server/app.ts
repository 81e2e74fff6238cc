import type { Server } from 'node:http';
import { inMilliseconds, TIME_LIMITS } from '@clearframe/contract';
import { createRequestHandler } from '@remix-run/express';
import type { AppLoadContext } from '@remix-run/node';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Pages } from './assets.ts';
import type { Settings } from './config/settings.ts';
import { proxyToApi } from './http/api-proxy.ts';
import { contextOf, logRequests } from './http/request-context.ts';
import { sameOriginOnly } from './http/same-origin.ts';
import { securityHeaders } from './http/security-headers.ts';
import type { PageMetrics } from './page-metrics.ts';

interface AppParts {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly pages: Pages;
  /** Absent where they are not read. */
  readonly metrics?: PageMetrics | undefined;
}

/** Status of an error thrown for an invalid request, such as a URL that can't be decoded; 500 for others. */
const statusOf = (error: unknown): number => {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : null;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
};

const HOST = /^[\w.:[\]-]*$/;

/** Rejects hosts that form no valid URL. */
const rejectInvalidHosts: RequestHandler = ({ headers: { host = '' } }, response, next) => {
  if (HOST.test(host) && URL.canParse(`http://${host || 'localhost'}`)) next();
  else response.sendStatus(400);
};

/** Methods for which Remix can create a `Request`. */
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const rejectOtherMethods: RequestHandler = ({ method }, response, next) => {
  if (METHODS.includes(method)) next();
  else response.sendStatus(405);
};

const READINESS_TIMEOUT_MS = inMilliseconds.seconds(2);

/** As other processes report it. Without `api` pages still say what is wrong, so `web` is never `not_ready`. */
async function readinessOf(apiUrl: URL) {
  const answer = await fetch(new URL('/readyz', apiUrl), { signal: AbortSignal.timeout(READINESS_TIMEOUT_MS) }).catch(
    () => null,
  );
  await answer?.body?.cancel();
  return answer?.ok
    ? { status: 'ready', dependencies: { api: 'up' } }
    : { status: 'degraded', dependencies: { api: 'down' } };
}

const handleError: ErrorRequestHandler = (error, request, response, next) => {
  const status = statusOf(error);
  if (status === 500) contextOf(request).logger.error({ err: error }, 'unhandled error');
  if (response.headersSent) next(error);
  else response.sendStatus(status);
};

export function createApp({ settings, logger, pages, metrics }: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('trust proxy', [...settings.trustedProxies]);

  app.use((_request, response, next) => {
    response.setHeader('x-content-type-options', 'nosniff');
    next();
  });
  // Before the log, so that health checks are not logged.
  app.get('/healthz', (_request, response) => {
    response.setHeader('cache-control', 'no-store').json({ status: 'ok' });
  });
  app.get('/readyz', async (_request, response) => {
    response.setHeader('cache-control', 'no-store').json(await readinessOf(settings.apiUrl));
  });
  app.use(logRequests({ settings, logger }));
  app.use(proxyToApi(settings));
  app.use(rejectInvalidHosts);
  app.use(rejectOtherMethods);

  app.use(...pages.assets);

  if (metrics) app.use(metrics.observe(pages));
  app.use(securityHeaders(settings, pages));
  app.use(sameOriginOnly(settings));

  app.all(
    '*',
    createRequestHandler({
      build: pages.build,
      mode: process.env.NODE_ENV,
      getLoadContext: (request): AppLoadContext => ({ ...contextOf(request) }),
    }),
  );
  app.use(handleError);
  return app;
}

const HEADERS_TIMEOUT_MS = inMilliseconds.seconds(30);

/** Allows slow uploads, for which Node's five minutes are too short, and drops idle connections and slow headers. */
export function configureTimeouts(server: Server): void {
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = TIME_LIMITS.request.web;
  server.setTimeout(TIME_LIMITS.silence.web);
  server.keepAliveTimeout = TIME_LIMITS.keptAlive.web;
}
