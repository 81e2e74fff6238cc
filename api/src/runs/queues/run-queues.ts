import {
  cancellationKey,
  inMilliseconds,
  inSeconds,
  type JobDefinition,
  type JobPayload,
  jobIdOf,
  packJob,
  type RunQueue,
  traceparentOf,
} from '@clearframe/contract';
import type { RedisClient } from '@clearframe/runtime/redis';
import { Logger } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { RunRow } from '../model/run.entity.js';

const COMMAND_TIMEOUT_MS = 1_500;
const KEEP_FAILED_SECONDS = inSeconds.hours(1);
const CANCELLATION_LIFETIME_SECONDS = inSeconds.hours(1);
const COUNT_WORKERS_EVERY_MS = inMilliseconds.seconds(2);

/**
 * Jobs published beyond those that workers can take at once. Where a job takes a fraction of a second, the next one is
 * there when it ends; where it takes seconds, each one more would delay a user who has none in work.
 */
const AHEAD: Readonly<Record<RunQueue, number>> = { images: 0, colors: 1, renders: 2 };

/** What the queue says about a run that the database believes to be dispatched. */
export type JobState = 'present' | 'lost' | 'failed';

/** The queues of runs in Redis. Requests wait for its answers: calls reject soon while it is away. */
export class RunQueues {
  private readonly queues: ReadonlyMap<RunQueue, Queue>;
  private readonly slots = new Map<RunQueue, { readonly count: number; readonly until: number }>();
  private readonly slotCounts = new Map<RunQueue, Promise<number>>();

  constructor(
    private readonly redis: RedisClient,
    queues: readonly Queue[],
  ) {
    const logger = new Logger(RunQueues.name);
    this.queues = new Map(queues.map((queue) => [queue.name as RunQueue, queue]));
    for (const [name, queue] of this.queues) queue.on('error', ({ message }) => logger.debug(`${name}: ${message}`));
  }

  private named(name: RunQueue): Queue {
    const queue = this.queues.get(name);
    if (!queue) throw new Error(`no queue ${name}`);
    return queue;
  }

  /** Publishing a run that is in the queue already changes nothing. */
  async publish({ id, queue }: RunRow, definition: JobDefinition, payload: JobPayload<JobDefinition>): Promise<void> {
    const adding = this.named(queue).add(definition.name, packJob(definition, payload, traceparentOf(id)), {
      jobId: jobIdOf(id),
      attempts: definition.attempts,
      backoff: { type: 'exponential', delay: definition.backoffMs },
      // The outcome is in the database; what failed stays for a while to be looked at.
      removeOnComplete: true,
      removeOnFail: { age: KEEP_FAILED_SECONDS },
    });
    await answered(adding);
  }

  async stateOf({ id, queue }: RunRow): Promise<JobState> {
    const state = await answered(this.named(queue).getJobState(jobIdOf(id)));
    if (state === 'unknown' || state === 'completed') return 'lost';
    return state === 'failed' ? 'failed' : 'present';
  }

  /** Removes a run's job; one that a worker has is left to it. */
  async remove({ id, queue }: Pick<RunRow, 'id' | 'queue'>): Promise<void> {
    await answered(this.named(queue).remove(jobIdOf(id)));
  }

  /** Removes a run's job, or tells the worker that has it to stop. */
  async cancel(run: Pick<RunRow, 'id' | 'queue'>): Promise<void> {
    await this.redis.set(cancellationKey(run.id), '1', 'EX', CANCELLATION_LIFETIME_SECONDS);
    // A job that is being worked on can't be removed.
    await this.remove(run).catch(() => undefined);
  }

  /** How many runs of a queue workers can have at once, at least 1, as last counted. Never waits for Redis. */
  knownSlotsOf(queue: RunQueue): number {
    const known = this.slots.get(queue);
    if (!known || known.until <= Date.now()) void this.countSlots(queue);
    return known?.count ?? 1;
  }

  /** Workers state their concurrency in the names of their connections. */
  private async slotsOf(queue: RunQueue): Promise<number> {
    const known = this.slots.get(queue);
    return known && known.until > Date.now() ? known.count : this.countSlots(queue);
  }

  /** Calls during a count share it. While Redis is away the last count stays. */
  private countSlots(queue: RunQueue): Promise<number> {
    const running = this.slotCounts.get(queue);
    if (running) return running;
    const counting = this.workersOf(queue)
      .then((workers) => {
        const concurrencies = workers.map(({ rawname }) => Number(/-x(\d+)$/.exec(rawname ?? '')?.[1] ?? 1));
        return concurrencies.reduce((sum, each) => sum + each, 0);
      })
      .catch(() => this.slots.get(queue)?.count ?? 1)
      .then((count) => {
        const atLeastOne = Math.max(1, count);
        this.slots.set(queue, { count: atLeastOne, until: Date.now() + COUNT_WORKERS_EVERY_MS });
        return atLeastOne;
      })
      .finally(() => this.slotCounts.delete(queue));
    this.slotCounts.set(queue, counting);
    return counting;
  }

  /** How many runs of a queue may be published at once. */
  async windowOf(queue: RunQueue): Promise<number> {
    return (await this.slotsOf(queue)) + AHEAD[queue];
  }

  /** The connections of workers to a queue, with the names that they gave themselves. Rejects while Redis is away. */
  async workersOf(queue: RunQueue): Promise<{ readonly rawname?: string }[]> {
    const database = String(this.redis.options.db ?? 0);
    // Redis lists the connections to all of its databases.
    return (await answered(this.named(queue).getWorkers())).filter(({ db }) => db === database);
  }
}

/** @throws Error when Redis does not answer in time; the command may still take effect, and repeating it is harmless */
async function answered<Answer>(command: Promise<Answer>): Promise<Answer> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('Redis does not answer')), COMMAND_TIMEOUT_MS);
  return Promise.race([command, late]).finally(() => clearTimeout(timer));
}
