import { setTimeout as delay } from 'node:timers/promises';
import { inMilliseconds, type RunQueue, runIdOf } from '@clearframe/contract';
import { OnQueueEvent, QueueEventsHost, QueueEventsListener } from '@nestjs/bullmq';
import { Logger, type Type } from '@nestjs/common';
import { RunsRepository } from './model/runs.repository.js';

const CLOSE_TIMEOUT_MS = inMilliseconds.seconds(1);

/** Records when a worker starts a run, and its progress. */
export function createRunEventsListener(queue: RunQueue): Type<QueueEventsHost> {
  @QueueEventsListener(queue)
  class RunEventsListener extends QueueEventsHost {
    private readonly logger = new Logger('RunEventsListener');

    constructor(private readonly repository: RunsRepository) {
      super();
    }

    @OnQueueEvent('active')
    onActive({ jobId }: { jobId: string }): Promise<void> {
      return this.record(jobId, 0);
    }

    @OnQueueEvent('progress')
    onProgress({ jobId, data }: { jobId: string; data: unknown }): Promise<void> {
      const progress = Number(data);
      return this.record(jobId, Number.isFinite(progress) ? Math.min(1, Math.max(0, progress)) : 0);
    }

    @OnQueueEvent('error')
    onError({ message }: Error): void {
      this.logger.debug(`${queue}: ${message}`);
    }

    /** `QueueEvents.close` never returns while its connection is between two attempts (decision 17). */
    override async onApplicationShutdown(): Promise<void> {
      const timeout = new AbortController();
      const closing = this.queueEvents.close().catch(() => undefined);
      await Promise.race([
        closing,
        delay(CLOSE_TIMEOUT_MS, undefined, { signal: timeout.signal }).catch(() => undefined),
      ]);
      timeout.abort();
    }

    /** A lost update affects no outcome. */
    private async record(jobId: string, progress: number): Promise<void> {
      const runId = runIdOf(jobId);
      if (!runId) return;
      await this.repository
        .recordProgress(runId, progress)
        .catch(({ message }: Error) => this.logger.debug(`progress of ${runId} was not recorded: ${message}`));
    }
  }
  return RunEventsListener;
}
