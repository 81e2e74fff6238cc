import {
  inMilliseconds,
  type JobEnvelope,
  type JobOutcome,
  parseOutcome,
  reportRun,
  traceIdOf,
  traceparentOf,
  unpackJob,
} from '@clearframe/contract';
import { watchConnections } from '@clearframe/runtime/redis';
import { inSpan, SpanKind } from '@clearframe/runtime/tracing';
import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type Job, UnrecoverableError } from 'bullmq';
import { Metrics } from '../platform/monitoring/metrics.js';
import { reasonOf } from '../platform/schedule/work-claims.js';
import { RunDispatcher } from './dispatcher.js';
import type { RunRow } from './run.entity.js';
import { RunKinds } from './run-kind.js';
import { RunsRepository } from './runs.repository.js';
import { Settlement } from './settlement.js';

const CONCURRENCY = 4;
/**
 * A killed process delays the report by both at most. By BullMQ's 30 s each, the finished picture was final a minute
 * later.
 */
const LOCK_MS = inMilliseconds.seconds(5);
const STALLED_CHECK_MS = inMilliseconds.seconds(2);
/** A shutdown without Redis waits as long: by BullMQ's 15 s the process was killed. */
const RETRY_DELAY_MS = inMilliseconds.seconds(1);

@Processor(reportRun.queue, {
  concurrency: CONCURRENCY,
  lockDuration: LOCK_MS,
  stalledInterval: STALLED_CHECK_MS,
  runRetryDelay: RETRY_DELAY_MS,
  autorun: false,
})
export class ReportsProcessor extends WorkerHost implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ReportsProcessor.name);
  private haveConnectionsOpened = () => false;

  constructor(
    private readonly repository: RunsRepository,
    private readonly kinds: RunKinds,
    private readonly settlement: Settlement,
    private readonly dispatcher: RunDispatcher,
    private readonly metrics: Metrics,
  ) {
    super();
  }

  /** Reports of kinds that are not registered yet would be dropped. */
  onApplicationBootstrap(): void {
    this.haveConnectionsOpened = watchConnections(this.worker);
    // Resolves when the worker is closed.
    void this.worker.run();
  }

  /** Runs before any connection ends: BullMQ retries on an ended one without yielding to the event loop. */
  async onModuleDestroy(): Promise<void> {
    await this.worker.pause(true);
    if (!this.haveConnectionsOpened()) await this.worker.close(true);
  }

  async process(job: Job<JobEnvelope>): Promise<void> {
    const { subjectId, runId, outcome } = this.read(job);
    const run = await this.repository.find(runId);
    // Its subject was deleted.
    if (!run) return this.settlement.discard(subjectId, runId);
    const cause = run.traceparent ?? traceparentOf(runId);
    const attributes = { 'clearframe.run_id': runId, 'clearframe.outcome': outcome.kind };
    await inSpan(`settle ${run.kind}`, { kind: SpanKind.CONSUMER, traceparent: cause, attributes }, () =>
      this.settle(run, outcome),
    );
    this.metrics.runs.inc({ queue: run.queue, outcome: outcome.kind });
    const seconds = (Date.now() - run.createdAt.getTime()) / 1000;
    this.metrics.runSeconds.observe({ queue: run.queue, outcome: outcome.kind }, seconds);
    await this.dispatcher.dispatch(run.queue);
  }

  private async settle(run: RunRow, outcome: JobOutcome): Promise<void> {
    try {
      await this.settlement.settle(run, outcome);
    } catch (error) {
      // Without PostgreSQL there is nowhere to record it.
      await this.repository.recordFailure(run.id, reasonOf(error)).catch(() => undefined);
      throw error;
    }
  }

  private read({ data }: Job<JobEnvelope>) {
    try {
      const { job: name, outcome, ...ids } = unpackJob(reportRun, data);
      const registered = this.kinds.find(name);
      if (!registered) throw new Error(`unknown kind of run: ${name}`);
      return { ...ids, outcome: parseOutcome(registered.definition, outcome) };
    } catch (cause) {
      throw Object.assign(new UnrecoverableError('the report cannot be read'), { cause });
    }
  }

  @OnWorkerEvent('error')
  onError({ message }: Error): void {
    this.logger.debug(message);
  }

  @OnWorkerEvent('failed')
  onFailed(job: Job | undefined, error: Error): void {
    this.logger.warn({ jobId: job?.id, traceId: traceIdOf(job?.data), err: error }, 'a report was not settled');
  }
}
