import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { inMilliseconds, UNKNOWN_JOB } from '@clearframe/contract';
import { RootLog } from '@clearframe/runtime/logging';
import { hasRunningOwner, OWN_FILES } from '@clearframe/runtime/process';
import { QueueConnection, RedisClient, watchConnections } from '@clearframe/runtime/redis';
import { ObjectStore } from '@clearframe/runtime/storage';
import { type BeforeApplicationShutdown, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type Job, UnrecoverableError, WaitingError, type Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { Metrics } from '../platform/metrics.js';
import { JobReleasedError } from './cancellation.js';
import { JobRegistry, type RegisteredJob } from './job-handler.js';
import { RunExecutor } from './run-executor.js';

/** Time for runs to finish at shutdown before they return to the queue. */
const FINISH_TIMEOUT_MS = inMilliseconds.seconds(1.5);
/** Further time before connections are cut. */
const CLOSE_TIMEOUT_MS = inMilliseconds.seconds(1.5);

@Injectable()
export class RunHost implements OnModuleInit, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly shutdown = new AbortController();
  private readonly finalReports = new Set<Promise<void>>();
  /** With a function that returns whether their connections have been open. */
  private readonly workers = new Map<Worker, () => boolean>();
  private jobs: ReadonlyMap<string, RegisteredJob> = new Map();

  constructor(
    private readonly registry: JobRegistry,
    private readonly executor: RunExecutor,
    private readonly store: ObjectStore,
    private readonly metrics: Metrics,
    private readonly connection: QueueConnection,
    private readonly redis: RedisClient,
    private readonly root: RootLog,
  ) {}

  onModuleInit(): void {
    this.jobs = this.registry.resolve();
  }

  /** Runs before a worker takes jobs. @throws Error while storage can't be written */
  async prepare(worker: Worker): Promise<void> {
    await this.store.checkWritable();
    nameLocks(worker);
    const free = () =>
      freeLocksOfDead(worker, this.redis).catch(({ message }: Error) =>
        this.root.log.warn(
          { queue: worker.name, reason: message },
          'jobs of killed workers wait for their locks to end',
        ),
      );
    if (this.redis.status === 'ready') void free();
    else this.redis.once('ready', free);
    this.workers.set(worker, watchConnections(worker));
    this.root.log.info({ queue: worker.name, concurrency: worker.concurrency }, 'taking jobs');
  }

  async process(job: Job, token: string | undefined): Promise<void> {
    const registered = this.jobs.get(job.name);
    if (!registered) {
      this.root.log.warn({ job: job.name, jobId: job.id }, 'a job of another version is left to other workers');
      throw new UnrecoverableError(UNKNOWN_JOB);
    }
    // Later attempts include their backoff.
    if (job.attemptsStarted === 1) {
      this.metrics.queueSeconds.observe({ job: job.name }, (Date.now() - job.timestamp) / 1000);
    }
    try {
      await this.executor.execute(registered, job, this.shutdown.signal);
    } catch (error) {
      if (!(error instanceof JobReleasedError)) throw error;
      this.root.log.info({ jobId: job.id }, 'returning the job to the queue');
      await job.moveToWait(token);
      throw new WaitingError();
    }
  }

  onFailed(job: Job, error: Error): void {
    const registered = this.jobs.get(job.name);
    if (!registered || error.message === UNKNOWN_JOB) return;
    if (!job.finishedOn) {
      this.metrics.runs.inc({ job: job.name, outcome: 'retried' });
      return;
    }
    const report = this.executor
      .reportFailed(registered, job, error)
      .catch((cause) => this.root.log.error({ jobId: job.id, err: cause }, 'a failed run could not be reported'))
      .finally(() => this.finalReports.delete(report));
    this.finalReports.add(report);
  }

  /** Runs before connections end: a worker that takes jobs on an ended one retries without yielding to the event loop. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all([...this.workers.keys()].map((worker) => worker.pause(true)));
  }

  async beforeApplicationShutdown(): Promise<void> {
    const handBack = setTimeout(
      () => this.shutdown.abort(new JobReleasedError('this worker is shutting down')),
      FINISH_TIMEOUT_MS,
    );
    const cut = setTimeout(
      () => [...this.workers.keys()].map((worker) => worker.disconnect()),
      FINISH_TIMEOUT_MS + CLOSE_TIMEOUT_MS,
    );
    await this.connection.stopReconnecting();
    await Promise.all([...this.workers].map(([worker, haveOpened]) => worker.close(!haveOpened())));
    await Promise.allSettled(this.finalReports);
    clearTimeout(handBack);
    clearTimeout(cut);
  }
}

const HOST = `@${hostname()}`;

/** BullMQ locks a job with the worker's id and a number: the id tells the process and its machine. */
function nameLocks(worker: Worker): void {
  Object.assign(worker, { id: `${OWN_FILES}${randomUUID()}${HOST}` });
}

const isOfDead = (lock: string): boolean => lock.includes(`${HOST}:`) && !hasRunningOwner(lock);

/**
 * Ends locks of this machine's processes that were killed, which would hold their jobs for as long as a living one on a
 * starved machine may be silent. The next checks for stalled jobs find them.
 */
async function freeLocksOfDead(worker: Worker, redis: Redis): Promise<void> {
  for (const jobId of await redis.lrange(worker.toKey('active'), 0, -1)) {
    const key = worker.toKey(`${jobId}:lock`);
    const lock = await redis.get(key);
    if (lock !== null && isOfDead(lock)) await redis.del(key);
  }
}
