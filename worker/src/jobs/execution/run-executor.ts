import { type JobOutcome, type RunIds, traceIdOf, unpackJob } from '@clearframe/contract';
import { RootLog } from '@clearframe/runtime/logging';
import { Injectable } from '@nestjs/common';
import { type Job, UnrecoverableError } from 'bullmq';
import type { Logger } from 'pino';
import { InvalidImageError } from '../../image/picture/errors.js';
import { Metrics } from '../../metrics/metrics.js';
import type { RegisteredJob } from '../handler/job-registry.js';
import { Cancellations } from './cancellation.js';
import { CancelledError, HandedBackError, TimedOutError } from './errors.js';
import { ProgressReporter } from './progress.js';
import { RunReports } from './reports.js';
import { settledWithin } from './settled-within.js';

/** A handler that was told to stop has this long to put its things away. */
const UNWINDING_MS = 1_000;

/**
 * Makes one attempt at one job: checks what it was given, watches for cancellation and the clock, and turns whatever
 * happens into an outcome or into the error that BullMQ should act on.
 */
@Injectable()
export class RunExecutor {
  constructor(
    private readonly reports: RunReports,
    private readonly cancellations: Cancellations,
    private readonly metrics: Metrics,
    private readonly root: RootLog,
  ) {}

  /**
   * @param leaving aborts with {@link HandedBackError} when this process goes away
   * @throws UnrecoverableError when trying again would not help, HandedBackError when the job must go back to the
   * queue, any other error when it may be tried again
   */
  async execute(registered: RegisteredJob, job: Job, leaving: AbortSignal): Promise<void> {
    const payload = this.unpack(registered, job);
    const ids = { subjectId: payload.subjectId, runId: payload.runId };
    const traceId = traceIdOf(job.data);
    const log = this.root.log.child({ job: job.name, ...ids, traceId, attempt: job.attemptsMade + 1 });
    const earlier = await this.reports.find(registered.definition, ids);
    if (earlier) {
      log.info({ outcome: earlier.kind }, 'the run was finished before; reporting it again');
      await this.reports.send(registered.definition, ids, earlier);
      return;
    }
    const started = performance.now();
    const outcome = await this.attempt(registered, payload, job, log, leaving);
    const final = await this.settle(registered, ids, outcome);
    log.info({ outcome: final.kind, ms: Math.round(performance.now() - started) }, 'the run is finished');
  }

  /** Ends a run that BullMQ has given up. */
  async giveUp(registered: RegisteredJob, job: Job, error: Error): Promise<void> {
    const { subjectId, runId } = this.unpack(registered, job);
    const errorCode = error instanceof TimedOutError ? 'tasks.timed_out' : 'tasks.failed';
    await this.settle(registered, { subjectId, runId }, { kind: 'failed', errorCode });
  }

  private async settle({ definition }: RegisteredJob, ids: RunIds, outcome: JobOutcome): Promise<JobOutcome> {
    const final = await this.reports.settle(definition, ids, outcome);
    this.metrics.runs.inc({ job: definition.name, outcome: final.kind });
    return final;
  }

  /** @throws UnrecoverableError where the version or the payload is not one we know */
  private unpack({ definition }: RegisteredJob, job: Job): RunIds {
    try {
      return unpackJob(definition, job.data);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      this.root.log.error({ job: job.name, jobId: job.id, reason }, 'the job cannot be understood');
      throw Object.assign(new UnrecoverableError('the job cannot be understood'), { cause });
    }
  }

  private async attempt(
    { definition, handler }: RegisteredJob,
    payload: RunIds,
    job: Job,
    log: Logger,
    leaving: AbortSignal,
  ): Promise<JobOutcome> {
    const cancellation = await this.cancellations.watch(payload.runId);
    const clock = new AbortController();
    const timer = setTimeout(() => clock.abort(new TimedOutError(definition.timeoutMs)), definition.timeoutMs);
    const progress = new ProgressReporter((fraction) => job.updateProgress(fraction));
    const signal = AbortSignal.any([cancellation.signal, clock.signal, leaving]);
    try {
      signal.throwIfAborted();
      const context = { signal, log, progress: (fraction: number) => progress.report(fraction) };
      const result = await settledWithin(handler.handle(payload, context), signal, UNWINDING_MS);
      return { kind: 'completed', result };
    } catch (error) {
      return this.outcomeOf(error, signal, log);
    } finally {
      clearTimeout(timer);
      cancellation.stop();
      progress.stop();
    }
  }

  /** Whatever a handler throws after it was told to stop, the reason it was told counts. */
  private outcomeOf(thrown: unknown, signal: AbortSignal, log: Logger): JobOutcome {
    const error: unknown = signal.aborted ? signal.reason : thrown;
    if (error instanceof CancelledError) return { kind: 'cancelled' };
    if (error instanceof InvalidImageError) {
      log.info({ code: error.code, reason: reasonOf(error.cause) }, 'the picture is not acceptable');
      return { kind: 'invalid', errorCode: error.code };
    }
    if (error instanceof HandedBackError || error instanceof UnrecoverableError) throw error;
    log.error({ err: error }, 'the attempt failed');
    // Errors that say of themselves that another attempt would end the same way.
    if (error instanceof Error && 'retryable' in error && error.retryable === false) {
      throw Object.assign(new UnrecoverableError(error.message), { cause: error });
    }
    throw error;
  }
}

/** Decoders name the file they were given in some messages; ids are all a log may hold. */
const reasonOf = (cause: unknown): string | undefined =>
  cause instanceof Error ? cause.message.replaceAll(/\S*\/\S+/g, '…').slice(0, 200) : undefined;
