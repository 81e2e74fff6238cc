import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { redactedPath } from '@clearframe/contract';
import type { Request, RequestHandler, Response } from 'express';
import { type Logger, type LoggerOptions, pino } from 'pino';
import type { Settings } from '../config/settings.ts';
import { requestIdOf, startRequestSpan, traceparentOf } from '../tracing.ts';

interface RequestContext {
  readonly settings: Settings;
  readonly logger: Logger;
  /** Sent to the backend too, and shown to visitors for support. */
  readonly requestId: string;
  /** Sent to the backend; null where nothing is traced. */
  readonly traceparent: string | null;
  /** IP address of the socket, or the one forwarded by a trusted proxy. */
  readonly clientAddress: string;
  readonly nonce: string;
  /** Adds a `Set-Cookie` header to the response. */
  readonly setCookie: (cookie: string) => void;
  /** Resolves while the client can take more bytes: Remix writes streams without back-pressure. */
  readonly whenWritable: () => Promise<void>;
}

declare module '@remix-run/node' {
  interface AppLoadContext extends RequestContext {}
}

type AppContext = Pick<RequestContext, 'settings' | 'logger'>;

const contexts = new WeakMap<IncomingMessage, RequestContext>();

/** Creates the context of a request, with an id of its own: `X-Request-Id` of clients is ignored. */
export function createContext(request: Request, response: Response, app: AppContext): RequestContext {
  const span = startRequestSpan(request.method, redactedPath(request.originalUrl));
  response.once('close', () => {
    span.setAttribute('http.response.status_code', response.statusCode);
    span.end();
  });
  const requestId = requestIdOf(span) ?? randomUUID();
  const context: RequestContext = {
    ...app,
    logger: app.logger.child({ requestId }),
    requestId,
    traceparent: traceparentOf(span),
    clientAddress: request.ip ?? '',
    nonce: randomBytes(16).toString('base64'),
    setCookie: (cookie) => void response.append('set-cookie', cookie),
    whenWritable: () => whenWritable(response),
  };
  contexts.set(request, context);
  response.setHeader('x-request-id', requestId);
  return context;
}

async function whenWritable(response: Response): Promise<void> {
  if (!response.writableNeedDrain || response.closed) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      response.off('drain', end).off('close', end);
      resolve();
    };
    response.on('drain', end).on('close', end);
  });
}

/** @throws when `createContext` has not run, which is a wrong order of handlers */
export function contextOf(request: IncomingMessage): RequestContext {
  const context = contexts.get(request);
  if (!context) throw new Error('no request context: createContext must run first');
  return context;
}

export const createLogger = (level = 'info', hooks: LoggerOptions['hooks'] = {}): Logger =>
  pino({ level, hooks, base: { service: 'web' } });

/**
 * Creates the context of each request and logs it when it ends: the path only, since queries hold signatures and
 * headers hold secrets.
 */
export function logRequests(app: AppContext): RequestHandler {
  return (request, response, next) => {
    const context = createContext(request, response, app);
    const startedAt = performance.now();
    response.once('close', () => {
      const path = redactedPath(request.originalUrl);
      context.logger[path.startsWith('/assets/') ? 'debug' : 'info'](
        {
          method: request.method,
          path,
          status: response.statusCode,
          complete: response.writableFinished,
          ms: Math.round(performance.now() - startedAt),
        },
        'request',
      );
    });
    next();
  };
}
