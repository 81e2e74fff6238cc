import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { PROBLEM_CONTENT_TYPE, Problem, problemOf, TIME_LIMITS, toWire } from '@clearframe/contract';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { Settings } from '../config/settings.ts';
import { contextOf } from './request-context.ts';

/** Public paths of the backend, without its metrics and health. `/ops` asks for the staff password. */
const API_PATHS = /^\/(?:api|media|ops)(?:\/|$)/;

/** Headers that clients could forge, and the session cookie. */
const REMOVED_HEADERS = [
  'x-clearframe-internal',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  'forwarded',
  'cookie',
  'traceparent',
  'tracestate',
];

const RETRY_AFTER_SECONDS = 5;
/** Long before the backend closes them, after 72 s: a busy backend closed one that had just got a request. */
const IDLE_CONNECTION_MS = TIME_LIMITS.keptAlive.webToApi;

/** True for a backend path that stays one after dot segments are resolved. */
export function isApiPath(target: string): boolean {
  const url = URL.canParse(target, 'http://web') ? new URL(target, 'http://web') : null;
  return url !== null && API_PATHS.test(url.pathname) && target.startsWith(url.pathname);
}

function sendUnavailable(request: Request, response: Response | Socket): void {
  if (!(response instanceof http.ServerResponse) || response.headersSent) {
    response.destroy();
    return;
  }
  const problem = problemOf('service.unavailable', contextOf(request).requestId);
  response.writeHead(problem.status, {
    'content-type': PROBLEM_CONTENT_TYPE,
    'cache-control': 'no-store',
    'retry-after': String(RETRY_AFTER_SECONDS),
    // Stops an upload in progress.
    ...(request.complete ? {} : { connection: 'close' }),
  });
  response.end(JSON.stringify(toWire(Problem, problem)));
}

/**
 * Proxies `/api` and `/media` to the backend, streaming in both directions. The internal secret proves that the
 * forwarded client address comes from this server.
 */
export function proxyToApi(
  { apiUrl, internalSecret }: Settings,
  { idleMs = IDLE_CONNECTION_MS }: { readonly idleMs?: number } = {},
): RequestHandler {
  const agent = new (apiUrl.protocol === 'https:' ? https : http).Agent({
    keepAlive: true,
    // Requests in progress outlive it.
    timeout: idleMs,
  });
  const proxy = createProxyMiddleware<Request, Response>({
    target: apiUrl.origin,
    agent,
    on: {
      proxyReq: (outgoing, request, response) => {
        // Ends what the backend does for a client that has left, also when it has sent everything.
        response.once('close', () => {
          if (!response.writableFinished) outgoing.destroy();
        });
        const { clientAddress, requestId, traceparent } = contextOf(request);
        for (const name of REMOVED_HEADERS) outgoing.removeHeader(name);
        outgoing.setHeader('x-forwarded-for', clientAddress);
        outgoing.setHeader('x-clearframe-internal', internalSecret);
        outgoing.setHeader('x-request-id', requestId);
        if (traceparent) outgoing.setHeader('traceparent', traceparent);
        // The client's `Connection: close`, passed on, would let the backend reset a body that it refuses early, and
        // the response would be lost.
        outgoing.setHeader('connection', 'keep-alive');
      },
      proxyRes: (incoming: IncomingMessage, request, response) => {
        // Set again as the client asked.
        delete incoming.headers.connection;
        delete incoming.headers['keep-alive'];
        // Aborts downloads in both directions.
        incoming.once('aborted', () => response.destroy());
        response.once('close', () => {
          if (!incoming.complete) incoming.destroy();
        });
        // Unread, the rest of a refused body would block the client's next request.
        response.once('finish', () => request.unpipe().resume());
      },
      error: (error, request, response) => {
        if (response.destroyed) return;
        contextOf(request).logger.warn({ code: 'code' in error ? error.code : error.name }, 'backend unreachable');
        sendUnavailable(request, response as Response | Socket);
      },
    },
  });
  return (request, response, next) => {
    if (isApiPath(request.originalUrl)) void proxy(request, response, next);
    else next();
  };
}
