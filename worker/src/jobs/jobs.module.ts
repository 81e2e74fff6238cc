import { REDIS_PREFIX, reportRun } from '@clearframe/contract';
import { QueueConnection, QueueConnectionModule } from '@clearframe/runtime/redis';
import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { JobsConfig } from '../platform/jobs.config.js';
import { Cancellations } from './cancellation.js';
import { JobRegistry } from './job-registry.js';
import { RunReports } from './reports.js';
import { createRunProcessor } from './run.processor.js';
import { RunExecutor } from './run-executor.js';
import { RunHost } from './run-host.js';

@Module({})
export class JobsModule {
  static forConfig(config: JobsConfig): DynamicModule {
    return {
      module: JobsModule,
      imports: [
        DiscoveryModule,
        QueueConnectionModule,
        BullModule.forRootAsync({
          imports: [QueueConnectionModule],
          inject: [QueueConnection],
          useFactory: ({ options }: QueueConnection) => ({ prefix: REDIS_PREFIX, connection: options }),
        }),
        BullModule.registerQueue({ name: reportRun.queue }),
      ],
      providers: [
        Cancellations,
        JobRegistry,
        RunExecutor,
        RunHost,
        RunReports,
        ...config.queues.map((queue) => createRunProcessor(queue, config)),
      ],
    };
  }
}
