import path from 'node:path';
import { createRequestHandler } from '@remix-run/express';
import type { AppLoadContext, ServerBuild } from '@remix-run/node';
import compression from 'compression';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import expressStaticGzip from 'express-static-gzip';
import type { Logger } from 'pino';
import type { Settings } from './config/settings.ts';
import { logRequests } from './http/logging.ts';
import { passThrough } from './http/api-proxy.ts';
import { contextOf } from './http/request-context.ts';
import { sameOriginOnly } from './http/same-origin.ts';
import { securityHeaders } from './http/security-headers.ts';

export interface AppParts {
  readonly settings: Settings;
  readonly logger: Logger;
  /** The built pages. */
  readonly build: ServerBuild;
  /** Folder of the built browser files. */
  readonly clientFolder: string;
}

/** A fault that says of itself that it is the caller's, such as an address that can't be decoded. */
const statusOf = (error: unknown): number => {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : null;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
};

const HOST = /^[\w.:[\]-]*$/;

/** Rejects hosts that form no valid address, which would fail later. */
const refuseOddHosts: RequestHandler = ({ headers: { host = '' } }, response, next) => {
  if (HOST.test(host) && URL.canParse(`http://${host || 'localhost'}`)) next();
  else response.sendStatus(400);
};

/** Handles errors outside of any page. */
const answerFault: ErrorRequestHandler = (error, request, response, next) => {
  const status = statusOf(error);
  if (status === 500) contextOf(request).logger.error({ err: error }, 'unhandled');
  if (response.headersSent) next(error);
  else response.sendStatus(status);
};

/** Everything that answers on the public origin, in the order in which it is asked. */
export function createApp({ settings, logger, build, clientFolder }: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  // None by default: clients can forge `X-Forwarded-For`.
  app.set('trust proxy', [...settings.trustedProxies]);

  // First, so that health checks are not logged.
  app.get('/healthz', (_request, response) => {
    response.setHeader('cache-control', 'no-store').json({ status: 'ok' });
  });
  app.use(logRequests({ settings, logger, clientFolder }));
  app.use(passThrough(settings));
  app.use(refuseOddHosts);

  app.use((_request, response, next) => {
    response.setHeader('x-content-type-options', 'nosniff');
    next();
  });
  // The build names these after their content, and has compressed them.
  app.use(
    '/assets',
    expressStaticGzip(path.join(clientFolder, 'assets'), {
      enableBrotli: true,
      orderPreference: ['br', 'gz'],
      index: false,
      serveStatic: { immutable: true, maxAge: '1y' },
    }),
  );
  app.use('/assets', (_request, response) => response.sendStatus(404));
  app.use(compression());
  app.use(express.static(clientFolder, { maxAge: '1h', index: false, redirect: false }));

  app.use(securityHeaders(settings));
  app.use(sameOriginOnly(settings));

  app.all(
    '*',
    createRequestHandler({
      build,
      mode: process.env.NODE_ENV,
      getLoadContext: (request): AppLoadContext => ({ ...contextOf(request) }),
    }),
  );
  app.use(answerFault);
  return app;
}
