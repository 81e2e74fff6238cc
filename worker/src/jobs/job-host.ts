import { inMilliseconds, REDIS_PREFIX } from '@clearframe/contract';
import { RootLog } from '@clearframe/runtime/logging';
import { RedisConfig } from '@clearframe/runtime/redis';
import { ObjectStore } from '@clearframe/runtime/storage';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type Job, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import { JobsConfig } from '../config/jobs.config.js';
import { Metrics } from '../metrics/metrics.js';
import { HandedBackError } from './errors.js';
import { JobRegistry, type RegisteredJob, WORKER_QUEUES, type WorkerQueue } from './job-registry.js';
import { RunExecutor } from './run-executor.js';

/** A picture that is nearly done at shutdown may be finished; after this it goes back to the queue. */
const FINISHING_MS = 1_500;
/** After that the connection is cut, whatever is still going on. */
const CLOSING_MS = 1_500;
const MAX_RECONNECT_DELAY_MS = 1_000;

/** Takes jobs off our queues and sees to it that each comes to an end. */
@Injectable()
export class JobHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly leaving = new AbortController();
  private readonly farewells = new Set<Promise<void>>();
  private jobs: ReadonlyMap<string, RegisteredJob> = new Map();
  private workers: readonly Worker[] = [];

  constructor(
    private readonly registry: JobRegistry,
    private readonly executor: RunExecutor,
    private readonly config: JobsConfig,
    private readonly redis: RedisConfig,
    private readonly store: ObjectStore,
    private readonly metrics: Metrics,
    private readonly root: RootLog,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.jobs = this.registry.resolve();
    await this.store.checkWritable();
    this.workers = WORKER_QUEUES.map((queue) => this.openWorker(queue));
    this.root.log.info({ concurrency: this.config.concurrency }, 'taking jobs');
  }

  async beforeApplicationShutdown(): Promise<void> {
    const handBack = setTimeout(
      () => this.leaving.abort(new HandedBackError('this worker is going away')),
      FINISHING_MS,
    );
    const cut = setTimeout(() => this.workers.map((worker) => worker.disconnect()), FINISHING_MS + CLOSING_MS);
    await Promise.all(this.workers.map((worker) => worker.close()));
    await Promise.allSettled(this.farewells);
    clearTimeout(handBack);
    clearTimeout(cut);
  }

  private openWorker(queue: WorkerQueue): Worker {
    const { concurrency, lockDuration, stalledInterval, maxStalledCount } = this.config;
    const worker = new Worker(queue, (job, token) => this.process(job, token), {
      prefix: REDIS_PREFIX,
      connection: {
        url: this.redis.url,
        maxRetriesPerRequest: null,
        retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RECONNECT_DELAY_MS),
      },
      concurrency: concurrency[queue],
      lockDuration,
      stalledInterval,
      maxStalledCount,
      runRetryDelay: inMilliseconds.seconds(1),
    });
    worker.on('error', (error) => {
      // That Redis is away is said once, by our other connection; this one would repeat it several times a second.
      const level = 'code' in error ? 'debug' : 'warn';
      this.root.log[level]({ reason: error.message }, 'the queue has a problem');
    });
    worker.on('stalled', (jobId) => this.root.log.warn({ jobId }, 'a job was lost by its worker and taken over'));
    worker.on('failed', (job, error) => this.onFailed(job, error));
    return worker;
  }

  private async process(job: Job, token: string | undefined): Promise<void> {
    const registered = this.jobs.get(job.name);
    if (!registered) {
      this.root.log.error({ job: job.name, jobId: job.id }, 'there is no such job');
      throw new UnrecoverableError('there is no such job');
    }
    // A later attempt waited for other reasons than a full queue.
    if (job.attemptsStarted === 1) {
      this.metrics.queueSeconds.observe({ job: job.name }, (Date.now() - job.timestamp) / 1000);
    }
    try {
      await this.executor.execute(registered, job, this.leaving.signal);
    } catch (error) {
      if (!(error instanceof HandedBackError)) throw error;
      this.root.log.info({ jobId: job.id }, 'handing the job back');
      await job.moveToWait(token);
      throw new WaitingError();
    }
  }

  /** Called after every failed attempt, and for jobs that stalled too often without any attempt of ours. */
  private onFailed(job: Job | undefined, error: Error): void {
    const registered = job && this.jobs.get(job.name);
    if (!registered) return;
    if (!job.finishedOn) {
      this.metrics.runs.inc({ job: job.name, outcome: 'retried' });
      return;
    }
    const farewell = this.executor
      .giveUp(registered, job, error)
      .catch((cause) => this.root.log.error({ jobId: job.id, err: cause }, 'a failed run could not be reported'))
      .finally(() => this.farewells.delete(farewell));
    this.farewells.add(farewell);
  }
}
