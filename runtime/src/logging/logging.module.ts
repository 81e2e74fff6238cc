import { type DynamicModule, Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { LogConfig } from './log.config.js';
import { createLog, RootLog, serializeError } from './log.js';

/** Provides {@link RootLog} everywhere and `nestjs-pino`'s `Logger` on top of it. Needs a global {@link LogConfig}. */
@Module({})
export class LoggingModule {
  /** @param service the name in every line */
  static forService(service: string): DynamicModule {
    return {
      module: LoggingModule,
      global: true,
      imports: [
        LoggerModule.forRootAsync({
          inject: [RootLog],
          useFactory: ({ log }: RootLog) => ({
            // Requests are logged by the server's own hooks. The serializer is repeated: pino-http replaces the logger's.
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
