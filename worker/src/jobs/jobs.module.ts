import { JOBS, REDIS_PREFIX, type RunQueue, reportRun, workerNameOf } from '@clearframe/contract';
import { RootLog } from '@clearframe/runtime/logging';
import { QueueConnection, QueueConnectionModule } from '@clearframe/runtime/redis';
import { BullModule, OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { type DynamicModule, Injectable, Module, type OnApplicationBootstrap, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { Job } from 'bullmq';
import type { JobsConfig } from '../platform/config.js';
import { Cancellations } from './cancellation.js';
import { JobRegistry } from './job-handler.js';
import { RunReports } from './reports.js';
import { RunExecutor } from './run-executor.js';
import { RunHost } from './run-host.js';

const RETRY_DELAY_MS = 1_000;

/** Creates a class per queue at boot, because decorators need their options before injection. */
function createRunProcessor(queue: RunQueue, config: JobsConfig): Type<WorkerHost> {
  const { concurrency, lockDuration, lockRenewTime, stalledInterval, maxStalledCount } = config;

  @Injectable()
  @Processor(queue, {
    name: workerNameOf(JOBS, process.pid, concurrency[queue]),
    concurrency: concurrency[queue],
    lockDuration,
    lockRenewTime,
    stalledInterval,
    maxStalledCount,
    runRetryDelay: RETRY_DELAY_MS,
    autorun: false,
  })
  class RunProcessor extends WorkerHost implements OnApplicationBootstrap {
    constructor(
      private readonly host: RunHost,
      private readonly root: RootLog,
    ) {
      super();
    }

    async onApplicationBootstrap(): Promise<void> {
      await this.host.prepare(this.worker);
      // Resolves when the worker closes.
      void this.worker.run();
    }

    process(job: Job, token?: string): Promise<void> {
      return this.host.process(job, token);
    }

    @OnWorkerEvent('error')
    onError(error: Error): void {
      // Another connection logs outages once; this one several times a second.
      const level = 'code' in error ? 'debug' : 'warn';
      this.root.log[level]({ queue, reason: error.message }, 'error of the queue');
    }

    @OnWorkerEvent('stalled')
    onStalled(jobId: string): void {
      this.root.log.warn({ queue, jobId }, 'a job stalled and is taken over');
    }

    /** Emitted for jobs that stalled too often, too. */
    @OnWorkerEvent('failed')
    onFailed(job: Job | undefined, error: Error): void {
      if (job) this.host.onFailed(job, error);
      else this.root.log.warn({ queue, reason: error.message }, 'a job failed');
    }
  }
  return RunProcessor;
}

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
