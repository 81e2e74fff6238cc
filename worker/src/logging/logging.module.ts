import { Global, Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { type Logger, pino } from 'pino';
import { ServerConfig } from '../config/server.config.js';

/** The log of the process. Jobs write to a child of it that carries their ids. */
export abstract class RootLog {
  abstract readonly log: Logger;
}

/**
 * Lines are JSON. What is logged is chosen, not filtered: ids, steps, durations, codes; never a key's signature, an
 * environment or anything a visitor typed. The redaction is the net below.
 */
export const createLog = (level: string): Logger =>
  pino({
    level,
    base: { service: 'worker' },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: ['*.password', '*.url', '*.REDIS_URL', 'err.options', 'err.command'],
  });

@Global()
@Module({
  imports: [
    LoggerModule.forRootAsync({
      inject: [RootLog],
      useFactory: ({ log }: RootLog) => ({ pinoHttp: { logger: log } }),
    }),
  ],
  providers: [
    {
      provide: RootLog,
      inject: [ServerConfig],
      useFactory: (config: ServerConfig): RootLog => ({ log: createLog(config.logLevel) }),
    },
  ],
  exports: [RootLog],
})
export class LoggingModule {}
