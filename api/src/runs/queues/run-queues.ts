import {
  cancellationKey,
  inSeconds,
  type JobDefinition,
  type JobPayload,
  jobIdOf,
  packJob,
  RUN_QUEUES,
  traceparentOf,
} from '@clearframe/contract';
import { RedisClient } from '@clearframe/runtime/redis';
import { Injectable } from '@nestjs/common';
import type { RunRow } from '../model/run.entity.js';
import { RedisQueues } from './redis-queues.js';

const KEEP_FAILED_SECONDS = inSeconds.hours(1);
const CANCELLATION_LIFETIME_SECONDS = inSeconds.hours(1);

/** What the queue says about a run that the database believes to be dispatched. */
export type JobState = 'present' | 'lost' | 'failed';

/** The jobs of runs. Calls reject soon while Redis is away. */
@Injectable()
export class RunQueues {
  constructor(
    private readonly redis: RedisClient,
    private readonly queues: RedisQueues,
  ) {}

  /** Publishing a run that is in the queue already changes nothing. */
  async publish({ id, queue }: RunRow, definition: JobDefinition, payload: JobPayload<JobDefinition>): Promise<void> {
    const envelope = packJob(definition, payload, traceparentOf(id));
    await this.queues.call(queue, (jobs) =>
      jobs.add(definition.name, envelope, {
        jobId: jobIdOf(id),
        attempts: definition.attempts,
        backoff: { type: 'exponential', delay: definition.backoffMs },
        // The outcome is in the database; what failed stays for a while to be looked at.
        removeOnComplete: true,
        removeOnFail: { age: KEEP_FAILED_SECONDS },
      }),
    );
  }

  async stateOf({ id, queue }: RunRow): Promise<JobState> {
    const state = await this.queues.call(queue, (jobs) => jobs.getJobState(jobIdOf(id)));
    if (state === 'unknown' || state === 'completed') return 'lost';
    return state === 'failed' ? 'failed' : 'present';
  }

  /** Removes a run's job; one that a worker has is left to it. */
  async remove({ id, queue }: Pick<RunRow, 'id' | 'queue'>): Promise<void> {
    await this.queues.call(queue, (jobs) => jobs.remove(jobIdOf(id)));
  }

  /** Removes a run's job from whatever queue, or tells the worker that has it to stop. */
  async cancel(id: string): Promise<void> {
    await this.redis.set(cancellationKey(id), '1', 'EX', CANCELLATION_LIFETIME_SECONDS);
    // A job that is being worked on can't be removed.
    await Promise.allSettled(RUN_QUEUES.map((queue) => this.remove({ id, queue })));
  }
}
