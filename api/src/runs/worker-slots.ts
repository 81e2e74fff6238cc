import {
  type ConnectedWorker,
  connectedWorkerOf,
  inMilliseconds,
  type JobDefinition,
  RUN_QUEUES,
  type RunQueue,
} from '@clearframe/contract';
import { Cached } from '@clearframe/runtime/concurrency';
import { RedisClient } from '@clearframe/runtime/redis';
import { Injectable } from '@nestjs/common';
import { RedisQueues } from './run-queues.js';

/**
 * Jobs beyond the workers' slots: short ones have the next one ready when they end; long ones would delay users who
 * have none running.
 */
const PREFETCH: Readonly<Record<RunQueue, number>> = { images: 0, colors: 1, large: 0, renders: 2, videos: 0 };

const slotsOf = (workers: readonly ConnectedWorker[]): number =>
  workers.reduce((sum, { concurrency }) => sum + concurrency, 0);

class QueueWindow {
  constructor(
    private readonly queue: RunQueue,
    private readonly workers: readonly ConnectedWorker[],
  ) {}

  /** At least 1, also without a worker: the next one finds a job. */
  get slots(): number {
    return Math.max(1, slotsOf(this.workers));
  }

  get size(): number {
    return this.slots + PREFETCH[this.queue];
  }

  /** Share of it for one kind of job: 0 while the connected workers are of versions that don't have the kind. */
  sizeFor(job: JobDefinition): number {
    if (this.workers.length === 0) return this.size;
    const slots = slotsOf(this.workers.filter((worker) => worker.takes(job)));
    return slots === 0 ? 0 : slots + PREFETCH[this.queue];
  }
}

const COUNT_EVERY_MS = inMilliseconds.seconds(2);

@Injectable()
export class WorkerSlots {
  private readonly last = new Map<RunQueue, QueueWindow>();
  private readonly windows = new Map(
    RUN_QUEUES.map((queue) => [queue, new Cached(COUNT_EVERY_MS, () => this.count(queue))]),
  );

  constructor(
    private readonly redis: RedisClient,
    private readonly queues: RedisQueues,
  ) {}

  async windowOf(queue: RunQueue): Promise<QueueWindow> {
    return (await this.windows.get(queue)?.get()) ?? new QueueWindow(queue, []);
  }

  /** Slots of the last count, at least 1. Never waits for Redis. */
  lastCountOf(queue: RunQueue): number {
    void this.windowOf(queue);
    return this.last.get(queue)?.slots ?? 1;
  }

  async workersOf(queue: RunQueue): Promise<ConnectedWorker[]> {
    const database = String(this.redis.options.db ?? 0);
    const connections = await this.queues.call(queue, (jobs) => jobs.getWorkers());
    // Redis lists the connections to all of its databases.
    return connections.filter(({ db }) => db === database).map(({ rawname }) => connectedWorkerOf(rawname ?? ''));
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

  /** During an outage of Redis the last count stays. */
  private async count(queue: RunQueue): Promise<QueueWindow> {
    try {
      this.last.set(queue, new QueueWindow(queue, await this.workersOf(queue)));
    } catch {
      // Redis is unavailable.
    }
    return this.last.get(queue) ?? new QueueWindow(queue, []);
  }
}
