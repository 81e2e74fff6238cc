import type { ConnectedWorker, JobDefinition, RunQueue } from '@clearframe/contract';

/**
 * Jobs beyond the workers' slots: short ones have the next one ready when they end; long ones would delay users who
 * have none running.
 */
const PREFETCH: Readonly<Record<RunQueue, number>> = { images: 0, colors: 1, renders: 2, videos: 0 };

const slotsOf = (workers: readonly ConnectedWorker[]): number =>
  workers.reduce((sum, { concurrency }) => sum + concurrency, 0);

export class QueueWindow {
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
