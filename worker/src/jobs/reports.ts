import { objectKeys, packJob, REDIS_PREFIX, RunOutcome, reportRun } from '@clearframe/contract';
import { RootLog } from '@clearframe/runtime/logging';
import { RedisConfig } from '@clearframe/runtime/redis';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';

export interface RunIds {
  readonly taskId: string;
  readonly runId: string;
}

const MAX_RECONNECT_DELAY_MS = 1_000;

/**
 * Tells `api` how runs ended. The outcome is written to storage first, once and for all: whoever comes second, be it a
 * twin that was wrongly taken for dead or a job that was published again, reports what the first one found.
 */
@Injectable()
export class RunReports implements OnApplicationShutdown {
  private readonly connection: Redis;
  private readonly queue: Queue;

  constructor(
    config: RedisConfig,
    private readonly store: ObjectStore,
    { log }: RootLog,
  ) {
    // Commands wait in memory while Redis is away: a report must arrive, and the result is safe in storage by then.
    this.connection = new Redis(config.url, {
      maxRetriesPerRequest: null,
      retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RECONNECT_DELAY_MS),
    });
    this.queue = new Queue(reportRun.queue, { prefix: REDIS_PREFIX, connection: this.connection });
    this.queue.on('error', ({ message }) => log.debug({ reason: message }, 'the reports queue has no connection'));
  }

  /** How a run ended, or null when nobody finished it yet. */
  async find({ taskId, runId }: RunIds): Promise<RunOutcome | null> {
    const stored = await this.store.readJson(objectKeys.report(taskId, runId));
    return stored === null ? null : RunOutcome.parse(stored);
  }

  /** Makes an outcome final and sends it. @returns the outcome that is final, which may be an earlier one */
  async settle(ids: RunIds, outcome: RunOutcome): Promise<RunOutcome> {
    const bytes = Buffer.from(JSON.stringify(outcome));
    const isFirst = await this.store.putOnce(objectKeys.report(ids.taskId, ids.runId), bytes);
    const final = isFirst ? outcome : ((await this.find(ids)) ?? outcome);
    await this.send(ids, final);
    return final;
  }

  /** Sends an outcome; waits for Redis as long as it takes. */
  async send({ taskId, runId }: RunIds, outcome: RunOutcome): Promise<void> {
    await this.queue.add(reportRun.name, packJob(reportRun, { taskId, runId, outcome }), {
      jobId: `report-${runId}`,
      attempts: reportRun.attempts,
      backoff: { type: 'exponential', delay: reportRun.backoffMs },
      // Nothing stays behind under this id, so that a run whose report was lost can be reported again.
      removeOnComplete: true,
      removeOnFail: true,
    });
  }

  onApplicationShutdown(): void {
    // No farewell: it would wait for an answer that never comes while Redis is away.
    this.connection.disconnect();
  }
}
