import { REDIS_PREFIX, reportRun, unpackJob } from '@clearframe/contract';
import { RedisConfig } from '@clearframe/runtime/redis';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Worker } from 'bullmq';
import { Metrics } from '../platform/health/metrics.js';
import { closeWithin } from './close-within.js';
import { RunKeeper } from './run-keeper.js';

const CONCURRENCY = 4;

/** Takes the worker's reports and settles the runs they are about. */
@Injectable()
export class ReportsConsumer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ReportsConsumer.name);
  private worker: Worker | undefined;

  constructor(
    private readonly config: RedisConfig,
    private readonly keeper: RunKeeper,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    this.worker = new Worker(
      reportRun.queue,
      async (job) => {
        const { taskId, runId, outcome } = unpackJob(reportRun, job.data);
        await this.keeper.settle(taskId, runId, outcome);
        this.metrics.runs.inc({ outcome: outcome.kind });
      },
      {
        prefix: REDIS_PREFIX,
        connection: { url: this.config.url, maxRetriesPerRequest: null },
        concurrency: CONCURRENCY,
      },
    );
    this.worker.on('error', (error) => this.logger.debug(error.message));
    this.worker.on('failed', (job, error) =>
      this.logger.warn({ jobId: job?.id, err: error }, 'a report was not settled'),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.worker) await closeWithin(this.worker);
  }
}
