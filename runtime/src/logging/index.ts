import { type DynamicModule, Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { z } from 'zod';
import { ENVIRONMENT, type Environment, readEnvironment } from '../config/index.js';
import { ErrorReports } from '../error-reports/index.js';

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type LogLevel = (typeof LEVELS)[number];

const schema = z.object({
  LOG_LEVEL: z.enum(LEVELS, { error: `must be one of ${LEVELS.join(', ')}` }).default('info'),
});

/** The least severe logged level. */
export class LogConfig {
  constructor(readonly level: LogLevel) {}

  static fromEnvironment(environment: Environment): LogConfig {
    return new LogConfig(readEnvironment(schema, environment).LOG_LEVEL);
  }
}

/** The logger of the process; requests and jobs log to its children. */
export abstract class RootLog {
  abstract readonly log: Logger;
}

interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly code?: unknown;
}

/** Other fields of database errors hold statements with parameters. */
export const serializeError = ({ type, message, stack, code }: LoggedError): LoggedError => ({
  type,
  message,
  stack,
  code,
});

/** Log ids, steps, durations and codes; never tokens, signatures or user input. Redaction is a safety net. */
export const createLog = (
  service: string,
  level: LogLevel,
  destination?: DestinationStream,
  reports?: ErrorReports,
): Logger =>
  pino(
    {
      level,
      hooks: reports?.hooks ?? {},
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

/** Provides {@link RootLog} globally. Needs a global {@link LogConfig} and the environment. */
@Module({})
export class LoggingModule {
  static forService(service: string): DynamicModule {
    return {
      module: LoggingModule,
      global: true,
      imports: [
        LoggerModule.forRootAsync({
          inject: [RootLog],
          useFactory: ({ log }: RootLog) => ({
            // The server logs requests. pino-http replaces the logger's serializers, hence the repetition.
            pinoHttp: { logger: log, autoLogging: false, serializers: { err: serializeError } },
          }),
        }),
      ],
      providers: [
        {
          provide: ErrorReports,
          inject: [ENVIRONMENT],
          useFactory: (environment: Environment) => ErrorReports.open(environment),
        },
        {
          provide: RootLog,
          inject: [LogConfig, ErrorReports],
          useFactory: ({ level }: LogConfig, reports: ErrorReports): RootLog => ({
            log: createLog(service, level, undefined, reports),
          }),
        },
      ],
      exports: [RootLog],
    };
  }
}
