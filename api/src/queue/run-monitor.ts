import { cancellationKey, enhanceImage, inSeconds, jobIdOf, REDIS_PREFIX } from '@clearframe/contract';
import { RedisClient } from '@clearframe/runtime/redis';
import { Injectable } from '@nestjs/common';
import { Queues, type ReadyJob } from './queues.js';

/** How a run stands in the queue right now. */
export interface LiveRun {
  /** 0..1. */
  readonly progress: number;
  /** 1 is next; 0 is being worked on. */
  readonly place: number;
}

/** What the queue says of a run that the database thinks is going on. */
export type RunFate = 'present' | 'lost' | 'dead';

const CANCELLATION_LIFETIME_SECONDS = inSeconds.hours(1);

/** Looks into the queue. What it says is a hint: without Redis there is none, and nobody fails for that. */
@Injectable()
export class RunMonitor {
  constructor(
    private readonly redis: RedisClient,
    private readonly queues: Queues,
  ) {}

  /** Progress and place by run id; runs that are not in the queue, or whose queue is away, are left out. */
  async look(runIds: readonly string[]): Promise<ReadonlyMap<string, LiveRun>> {
    if (runIds.length === 0) return new Map();
    const prefix = `${REDIS_PREFIX}:${enhanceImage.queue}`;
    const pipeline = this.redis.pipeline().llen(`${prefix}:wait`);
    for (const runId of runIds) {
      // Every job has a timestamp; progress comes with the worker's first word.
      pipeline.lpos(`${prefix}:wait`, jobIdOf(runId)).hmget(`${prefix}:${jobIdOf(runId)}`, 'timestamp', 'progress');
    }
    const replies = await pipeline.exec().catch(() => null);
    if (!replies) return new Map();
    const values = replies.map(([error, value]) => (error ? null : value));
    const waiting = Number(values[0] ?? 0);
    const live = new Map<string, LiveRun>();
    for (const [index, runId] of runIds.entries()) {
      const [position, job] = values.slice(1 + index * 2, 3 + index * 2);
      const [timestamp, progress] = Array.isArray(job) ? job : [];
      // New jobs are pushed on the left and taken from the right.
      if (typeof position === 'number') live.set(runId, { place: waiting - position, progress: 0 });
      else if (timestamp) live.set(runId, { place: 0, progress: progressOf(progress) });
    }
    return live;
  }

  /** Whether the job of a run is still on its way, has vanished from Redis, or was given up by BullMQ. */
  async fateOf({ definition, jobId }: ReadyJob): Promise<RunFate> {
    const state = await this.queues.named(definition.queue).getJobState(jobId);
    if (state === 'unknown' || state === 'completed') return 'lost';
    return state === 'failed' ? 'dead' : 'present';
  }

  /** Takes a run off the queue, or tells the worker that has it to stop. */
  async cancel(runId: string): Promise<void> {
    await this.redis.set(cancellationKey(runId), '1', 'EX', CANCELLATION_LIFETIME_SECONDS);
    // A job that is being worked on can't be removed; its worker sees the key instead.
    await this.queues
      .named(enhanceImage.queue)
      .remove(jobIdOf(runId))
      .catch(() => undefined);
  }

  /** Rejects while no worker is connected to the queue. */
  async checkWorker(): Promise<void> {
    if ((await this.queues.named(enhanceImage.queue).getWorkersCount()) === 0)
      throw new Error('no worker is connected');
  }
}

function progressOf(stored: unknown): number {
  const value = Number(stored ?? 0);
  return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0;
}
