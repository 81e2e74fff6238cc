import { type DynamicModule, Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { LogConfig } from './log.config.js';
import { createLog, RootLog, serializeError } from './log.js';

/** Provides {@link RootLog} globally. Needs a global {@link LogConfig}. */
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
          provide: RootLog,
          inject: [LogConfig],
          useFactory: ({ level }: LogConfig): RootLog => ({ log: createLog(service, level) }),
        },
      ],
      exports: [RootLog],
    };
  }
}
