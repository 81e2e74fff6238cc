import { redactedPath } from '@clearframe/contract';
import type { RequestHandler } from 'express';
import { type Logger, pino } from 'pino';
import { type AppContext, createContext } from './request-context.ts';

export const createLogger = (level = 'info'): Logger => pino({ level, base: { service: 'web' } });

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
