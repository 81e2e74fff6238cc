import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { PROBLEM_CONTENT_TYPE, Problem, problemOf, toWire } from '@clearframe/contract';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { Settings } from '../config/settings.ts';
import { contextOf } from './request-context.ts';

/** Paths that belong to the backend. Its metrics and health are not among them. */
const PASSED = /^\/(?:api|media)(?:\/|$)/;

/** Headers that callers must not set, and the session cookie. */
const WITHHELD_HEADERS = [
  'x-clearframe-internal',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  'forwarded',
  'cookie',
];

const SECONDS_UNTIL_RETRY = 5;

/** True for a path that is the backend's, and stays so when dots in it are resolved. */
export function isPassedThrough(target: string): boolean {
  const url = URL.canParse(target, 'http://web') ? new URL(target, 'http://web') : null;
  return url !== null && PASSED.test(url.pathname) && target.startsWith(url.pathname);
}

function answerUnavailable(request: Request, response: Response | Socket): void {
  if (!(response instanceof http.ServerResponse) || response.headersSent) {
    response.destroy();
    return;
  }
  const problem = problemOf('service.unavailable', contextOf(request).requestId);
  response.writeHead(problem.status, {
    'content-type': PROBLEM_CONTENT_TYPE,
    'cache-control': 'no-store',
    'retry-after': String(SECONDS_UNTIL_RETRY),
    // What is still being sent has nowhere to go.
    ...(request.complete ? {} : { connection: 'close' }),
  });
  response.end(JSON.stringify(toWire(Problem, problem)));
}

/**
 * Hands `/api` and `/media` on to the backend, streaming in both directions. The backend learns the address of the
 * socket, and from the internal secret that it may believe it; neither can be set from outside.
 */
export function passThrough({ apiUrl, internalSecret }: Settings): RequestHandler {
  const agent = new (apiUrl.protocol === 'https:' ? https : http).Agent({ keepAlive: true });
  const proxy = createProxyMiddleware<Request, Response>({
    target: apiUrl.origin,
    agent,
    on: {
      proxyReq: (outgoing, request) => {
        const { clientAddress, requestId } = contextOf(request);
        for (const name of WITHHELD_HEADERS) outgoing.removeHeader(name);
        outgoing.setHeader('x-forwarded-for', clientAddress);
        outgoing.setHeader('x-clearframe-internal', internalSecret);
        outgoing.setHeader('x-request-id', requestId);
      },
      proxyRes: (incoming: IncomingMessage, _request, response) => {
        // A download aborted by the backend is aborted here too.
        incoming.once('aborted', () => response.destroy());
        // An aborted download stops at the backend.
        response.once('close', () => {
          if (!incoming.complete) incoming.destroy();
        });
      },
      error: (error, request, response) => {
        contextOf(request).logger.warn(
          { code: 'code' in error ? error.code : error.name },
          'the backend does not answer',
        );
        answerUnavailable(request, response as Response | Socket);
      },
    },
  });
  return (request, response, next) => {
    if (isPassedThrough(request.originalUrl)) void proxy(request, response, next);
    else next();
  };
}
