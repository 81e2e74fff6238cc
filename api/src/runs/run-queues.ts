import {
  cancellationKey,
  inSeconds,
  type JobDefinition,
  type JobPayload,
  jobIdOf,
  packJob,
  RUN_QUEUES,
  traceparentOf,
  UNKNOWN_JOB,
} from '@clearframe/contract';
import { RedisClient } from '@clearframe/runtime/redis';
import { Injectable } from '@nestjs/common';
import { RedisQueues } from './redis-queues.js';
import type { RunRow } from './run.entity.js';

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

  async publish({ id, queue }: RunRow, definition: JobDefinition, payload: JobPayload<JobDefinition>): Promise<void> {
    const envelope = packJob(definition, payload, traceparentOf(id));
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
