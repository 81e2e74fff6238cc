import { concurrencyOf, inMilliseconds, type RunQueue } from '@clearframe/contract';
import { RedisClient } from '@clearframe/runtime/redis';
import { Injectable } from '@nestjs/common';
import { RedisQueues } from './redis-queues.js';

const COUNT_EVERY_MS = inMilliseconds.seconds(2);

/**
 * Jobs published beyond the workers' slots. Short jobs have the next one ready when they end; long ones would delay
 * users who have none in work.
 */
const PREFETCH: Readonly<Record<RunQueue, number>> = { images: 0, colors: 1, renders: 2, videos: 0 };

interface Count {
  readonly slots: number;
  readonly until: number;
}

@Injectable()
export class WorkerSlots {
  private readonly counts = new Map<RunQueue, Count>();
  private readonly counting = new Map<RunQueue, Promise<number>>();

  constructor(
    private readonly redis: RedisClient,
    private readonly queues: RedisQueues,
  ) {}

  async windowOf(queue: RunQueue): Promise<number> {
    return (this.currentCount(queue) ?? (await this.count(queue))) + PREFETCH[queue];
  }

  /** The last count, at least 1. Never waits for Redis. */
  lastCountOf(queue: RunQueue): number {
    if (this.currentCount(queue) === null) void this.count(queue);
    return this.counts.get(queue)?.slots ?? 1;
  }

  async workersOf(queue: RunQueue): Promise<string[]> {
    const database = String(this.redis.options.db ?? 0);
    const connections = await this.queues.call(queue, (jobs) => jobs.getWorkers());
    // Redis lists the connections to all of its databases.
    return connections.filter(({ db }) => db === database).map(({ rawname }) => rawname ?? '');
  }

  /**
   * False when workers are connected and none of them takes the queue. Without any worker, or without Redis, work waits
   * for one.
   */
  async isServed(queue: RunQueue): Promise<boolean> {
    try {
      const [own, pictures] = await Promise.all([this.workersOf(queue), this.workersOf('images')]);
      return own.length > 0 || pictures.length === 0;
    } catch {
      return true;
    }
  }

  private currentCount(queue: RunQueue): number | null {
    const known = this.counts.get(queue);
    return known && known.until > Date.now() ? known.slots : null;
  }

  /** Calls during a count share it. During an outage of Redis the last count stays. */
  private count(queue: RunQueue): Promise<number> {
    const running = this.counting.get(queue);
    if (running) return running;
    const counting = this.workersOf(queue)
      .then((names) => names.reduce((sum, name) => sum + concurrencyOf(name), 0))
      .catch(() => this.counts.get(queue)?.slots ?? 1)
      .then((counted) => {
        const slots = Math.max(1, counted);
        this.counts.set(queue, { slots, until: Date.now() + COUNT_EVERY_MS });
        return slots;
      })
      .finally(() => this.counting.delete(queue));
    this.counting.set(queue, counting);
    return counting;
  }
}
