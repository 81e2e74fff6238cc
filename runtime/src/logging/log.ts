import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import type { LogLevel } from './log.config.js';

/** The logger of the process. */
export abstract class RootLog {
  abstract readonly log: Logger;
}

interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly code?: unknown;
}

/** Errors of the database and of Redis carry statements with their parameters: only these fields are logged. */
export const serializeError = ({ type, message, stack, code }: LoggedError): LoggedError => ({
  type,
  message,
  stack,
  code,
});

/**
 * A logger that writes JSON lines. Callers choose what they log: ids, steps, durations, codes; never tokens,
 * signatures or user input. The redaction below is only a safety net.
 */
export const createLog = (service: string, level: LogLevel, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: stdSerializers.wrapErrorSerializer(serializeError) },
      redact: {
        paths: ['*.password', '*.token', '*.accessToken', '*.authorization', '*.cookie', '*.url', '*.REDIS_URL'],
        censor: '[redacted]',
      },
    },
    destination ?? pino.destination(1),
  );
