import {
  cancellationKey,
  inSeconds,
  type JobDefinition,
  type JobPayload,
  jobIdOf,
  packJob,
  RUN_QUEUES,
  type RunQueue,
  traceparentOf,
  UNKNOWN_JOB,
} from '@clearframe/contract';
import { withTimeout } from '@clearframe/runtime/concurrency';
import { RedisClient } from '@clearframe/runtime/redis';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { RunRow } from './run.entity.js';

const COMMAND_TIMEOUT_MS = 1_500;

/** BullMQ waits for Redis without a limit; requests can't. */
export class RedisQueues {
  private readonly queues: ReadonlyMap<RunQueue, Queue>;

  constructor(queues: readonly Queue[]) {
    const logger = new Logger(RedisQueues.name);
    this.queues = new Map(queues.map((queue) => [queue.name as RunQueue, queue]));
    for (const [name, queue] of this.queues) queue.on('error', ({ message }) => logger.debug(`${name}: ${message}`));
  }

  list(): readonly Queue[] {
    return [...this.queues.values()];
  }

  /** @throws Error when Redis does not respond in time. The command may still take effect; repeating it is harmless */
  async call<Result>(name: RunQueue, command: (queue: Queue) => Promise<Result>): Promise<Result> {
    const queue = this.queues.get(name);
    if (!queue) throw new Error(`no queue ${name}`);
    return withTimeout(command(queue), COMMAND_TIMEOUT_MS, () => {
      throw new Error('Redis does not respond');
    });
  }
}

const KEEP_FAILED_SECONDS = inSeconds.hours(1);
const CANCELLATION_LIFETIME_SECONDS = inSeconds.hours(1);

/** `refused`: by a worker of another version, which does not have the job. */
export type JobState = 'present' | 'lost' | 'failed' | 'refused';

/** Calls reject soon during an outage of Redis. */
@Injectable()
export class RunQueues {
  constructor(
    private readonly redis: RedisClient,
    private readonly queues: RedisQueues,
  ) {}

  async publish(
    { id, queue, traceparent }: RunRow,
    definition: JobDefinition,
    payload: JobPayload<JobDefinition>,
  ): Promise<void> {
    const envelope = packJob(definition, payload, traceparent ?? traceparentOf(id));
    await this.queues.call(queue, (jobs) =>
      jobs.add(definition.name, envelope, {
        jobId: jobIdOf(id),
        attempts: definition.attempts,
        backoff: { type: 'exponential', delay: definition.backoffMs },
        // The outcome is in the database; failed jobs are kept for a while, for inspection.
        removeOnComplete: true,
        removeOnFail: { age: KEEP_FAILED_SECONDS },
      }),
    );
  }

  async stateOf({ id, queue }: RunRow): Promise<JobState> {
    const state = await this.queues.call(queue, (jobs) => jobs.getJobState(jobIdOf(id)));
    if (state === 'unknown' || state === 'completed') return 'lost';
    if (state !== 'failed') return 'present';
    const job = await this.queues.call(queue, (jobs) => jobs.getJob(jobIdOf(id)));
    return job?.failedReason === UNKNOWN_JOB ? 'refused' : 'failed';
  }

  /** @returns false when a worker has the job, which stays */
  async remove({ id, queue }: Pick<RunRow, 'id' | 'queue'>): Promise<boolean> {
    return (await this.queues.call(queue, (jobs) => jobs.remove(jobIdOf(id)))) > 0;
  }

  async cancel(id: string): Promise<void> {
    await this.redis.set(cancellationKey(id), '1', 'EX', CANCELLATION_LIFETIME_SECONDS);
    // A running job can't be removed.
    await Promise.allSettled(RUN_QUEUES.map((queue) => this.remove({ id, queue })));
  }
}
