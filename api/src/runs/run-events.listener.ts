import { inMilliseconds, RunProgressReport, type RunQueue, runIdOf } from '@clearframe/contract';
import { withTimeout } from '@clearframe/runtime/concurrency';
import { OnQueueEvent, QueueEventsHost, QueueEventsListener } from '@nestjs/bullmq';
import { Logger, type Type } from '@nestjs/common';
import { RunsRepository } from './runs.repository.js';

const CLOSE_TIMEOUT_MS = inMilliseconds.seconds(1);

/** Workers of an earlier version report a number. */
function reportIn(data: unknown): RunProgressReport {
  const value = typeof data === 'number' ? { progress: Math.min(1, Math.max(0, data)) } : data;
  return RunProgressReport.safeParse(value).data ?? { progress: 0 };
}

export function createRunEventsListener(queue: RunQueue): Type<QueueEventsHost> {
  @QueueEventsListener(queue)
  class RunEventsListener extends QueueEventsHost {
    private readonly logger = new Logger('RunEventsListener');

    constructor(private readonly repository: RunsRepository) {
      super();
    }

    @OnQueueEvent('active')
    onActive({ jobId }: { jobId: string }): Promise<void> {
      return this.record(jobId, { progress: 0 });
    }

    @OnQueueEvent('progress')
    onProgress({ jobId, data }: { jobId: string; data: unknown }): Promise<void> {
      return this.record(jobId, reportIn(data));
    }

    @OnQueueEvent('error')
    onError({ message }: Error): void {
      this.logger.debug(`${queue}: ${message}`);
    }

    /** `QueueEvents.close` never returns while its connection is between two attempts. */
    override async onApplicationShutdown(): Promise<void> {
      const closing = this.queueEvents.close().catch(() => undefined);
      await withTimeout(closing, CLOSE_TIMEOUT_MS, () => undefined);
    }

    /** A lost update affects no outcome. */
    private async record(jobId: string, report: RunProgressReport): Promise<void> {
      const runId = runIdOf(jobId);
      if (!runId) return;
      await this.repository
        .recordProgress(runId, report)
        .catch(({ message }: Error) => this.logger.debug(`progress of ${runId} was not recorded: ${message}`));
    }
  }
  return RunEventsListener;
}
