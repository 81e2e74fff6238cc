import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { AppConfig } from '../config/app.config.js';

const REQUEST_ID = /^[\w-]{8,64}$/;

/** The id a request goes by in every log line and answer: the caller's own when it has a sane one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** JSON lines. What could be used against somebody (tokens, signatures, keys, names of files) never gets into one. */
@Module({
  imports: [
    LoggerModule.forRootAsync({
      inject: [AppConfig],
      useFactory: (config: AppConfig) => ({
        pinoHttp: {
          level: config.logLevel,
          genReqId: (request: IncomingMessage) => (request as { id?: string }).id ?? requestIdOf(request),
          // A query can hold a signature or a code; the path is enough to know what was called.
          serializers: {
            req: (request: { id: string; method: string; url: string }) => ({
              id: request.id,
              method: request.method,
              path: request.url.split('?')[0],
            }),
            res: (response: { statusCode: number }) => ({ status: response.statusCode }),
          },
          customLogLevel: (request, response, error) => {
            if (error || response.statusCode >= 500) return 'error';
            return request.url?.startsWith('/healthz') || request.url?.startsWith('/readyz') ? 'debug' : 'info';
          },
          redact: {
            paths: ['*.password', '*.token', '*.accessToken', '*.authorization', '*.cookie'],
            censor: '[redacted]',
          },
        },
      }),
    }),
  ],
})
export class LoggingModule {}
