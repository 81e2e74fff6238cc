import { concurrencyOf, inMilliseconds, RUN_QUEUES, type RunQueue } from '@clearframe/contract';
import { Cached } from '@clearframe/runtime/concurrency';
import { RedisClient } from '@clearframe/runtime/redis';
import { Injectable } from '@nestjs/common';
import { RedisQueues } from './redis-queues.js';

const COUNT_EVERY_MS = inMilliseconds.seconds(2);

/**
 * Jobs published beyond the workers' slots. Short jobs have the next one ready when they end; long ones would delay
 * users who have none running.
 */
const PREFETCH: Readonly<Record<RunQueue, number>> = { images: 0, colors: 1, renders: 2, videos: 0 };

@Injectable()
export class WorkerSlots {
  private readonly last = new Map<RunQueue, number>();
  private readonly counts = new Map(
    RUN_QUEUES.map((queue) => [queue, new Cached(COUNT_EVERY_MS, () => this.count(queue))]),
  );

  constructor(
    private readonly redis: RedisClient,
    private readonly queues: RedisQueues,
  ) {}

  async windowOf(queue: RunQueue): Promise<number> {
    return (await this.currentCount(queue)) + PREFETCH[queue];
  }

  /** The last count, at least 1. Never waits for Redis. */
  lastCountOf(queue: RunQueue): number {
    void this.currentCount(queue);
    return this.last.get(queue) ?? 1;
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

  private async currentCount(queue: RunQueue): Promise<number> {
    return (await this.counts.get(queue)?.get()) ?? 1;
  }

  /** During an outage of Redis the last count stays. */
  private async count(queue: RunQueue): Promise<number> {
    try {
      const names = await this.workersOf(queue);
      const slots = names.reduce((sum, name) => sum + concurrencyOf(name), 0);
      this.last.set(queue, Math.max(1, slots));
    } catch {
      // Redis is unavailable.
    }
    return this.last.get(queue) ?? 1;
  }
}
