import type { RequestHandler } from 'express';
import { type Logger, pino } from 'pino';
import { openContext, type Surroundings } from './request-context.ts';

/** JSON lines on standard output. */
export const createLogger = (level = 'info'): Logger => pino({ level, base: { service: 'web' } });

/**
 * Opens the context of each request and writes one line when it is over. Only the path is written: queries hold
 * signatures and headers hold secrets.
 */
export function logRequests(surroundings: Surroundings): RequestHandler {
  return (request, response, next) => {
    const context = openContext(request, response, surroundings);
    const startedAt = performance.now();
    response.once('close', () => {
      const path = request.originalUrl.split('?', 1)[0] ?? '';
      // Files of the build are many and say little.
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
