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

/** What is worth knowing of an error. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly code?: unknown;
}

/** JSON lines. What could be used against somebody (tokens, signatures, keys, names of files) never gets into one. */
@Module({
  imports: [
    LoggerModule.forRootAsync({
      inject: [AppConfig],
      useFactory: (config: AppConfig) => ({
        pinoHttp: {
          level: config.logLevel,
          // Requests are told by the server's own hooks, which see the raw routes too.
          autoLogging: false,
          serializers: {
            // A database error carries the statement's parameters and the row: tokens and names of files among them.
            err: ({ type, message, stack, code }: LoggedError) => ({ type, message, stack, code }),
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
