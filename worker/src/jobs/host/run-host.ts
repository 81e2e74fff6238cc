import { inMilliseconds } from '@clearframe/contract';
import { RootLog } from '@clearframe/runtime/logging';
import { ObjectStore } from '@clearframe/runtime/storage';
import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common';
import { type Job, UnrecoverableError, WaitingError, type Worker } from 'bullmq';
import { Metrics } from '../../metrics/metrics.js';

import { HandedBackError } from '../execution/errors.js';
import { RunExecutor } from '../execution/run-executor.js';
import { JobRegistry, type RegisteredJob } from '../handler/job-registry.js';

/** At shutdown a run that is nearly done may finish; after this it is handed back to the queue. */
const FINISHING_MS = inMilliseconds.seconds(1.5);
/** After that the connection is cut, whatever is still going on. */
const CLOSING_MS = inMilliseconds.seconds(1.5);

/** Runs the jobs of all queues of this process and makes sure that each ends with a report. */
@Injectable()
export class RunHost implements OnModuleInit, BeforeApplicationShutdown {
  private readonly shutdown = new AbortController();
  private readonly finalReports = new Set<Promise<void>>();
  private readonly workers: Worker[] = [];
  private jobs: ReadonlyMap<string, RegisteredJob> = new Map();

  constructor(
    private readonly registry: JobRegistry,
    private readonly executor: RunExecutor,
    private readonly store: ObjectStore,
    private readonly metrics: Metrics,
    private readonly root: RootLog,
  ) {}

  onModuleInit(): void {
    this.jobs = this.registry.resolve();
  }

  /** Called by each processor before its worker takes jobs. @throws while storage can't be written */
  async prepare(worker: Worker): Promise<void> {
    await this.store.checkWritable();
    this.workers.push(worker);
    this.root.log.info({ queue: worker.name, concurrency: worker.concurrency }, 'taking jobs');
  }

  async process(job: Job, token: string | undefined): Promise<void> {
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
      await this.executor.execute(registered, job, this.shutdown.signal);
    } catch (error) {
      if (!(error instanceof HandedBackError)) throw error;
      this.root.log.info({ jobId: job.id }, 'handing the job back');
      await job.moveToWait(token);
      throw new WaitingError();
    }
  }

  /** Reports a run as failed once its job has no attempt left. */
  onFailed(job: Job, error: Error): void {
    const registered = this.jobs.get(job.name);
    if (!registered) return;
    if (!job.finishedOn) {
      this.metrics.runs.inc({ job: job.name, outcome: 'retried' });
      return;
    }
    const report = this.executor
      .giveUp(registered, job, error)
      .catch((cause) => this.root.log.error({ jobId: job.id, err: cause }, 'a failed run could not be reported'))
      .finally(() => this.finalReports.delete(report));
    this.finalReports.add(report);
  }

  async beforeApplicationShutdown(): Promise<void> {
    const handBack = setTimeout(
      () => this.shutdown.abort(new HandedBackError('this worker is shutting down')),
      FINISHING_MS,
    );
    const cut = setTimeout(() => this.workers.map((worker) => worker.disconnect()), FINISHING_MS + CLOSING_MS);
    await Promise.all(this.workers.map((worker) => worker.close()));
    await Promise.allSettled(this.finalReports);
    clearTimeout(handBack);
    clearTimeout(cut);
  }
}
