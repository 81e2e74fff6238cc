import {
  type FailureCode,
  type JobEnvelope,
  type JobOutcome,
  type RunIds,
  traceIdOf,
  UNKNOWN_JOB,
  UnknownVersionError,
  unpackJob,
} from '@clearframe/contract';
import { unlessAborted, watchSilence, withTimeout } from '@clearframe/runtime/concurrency';
import { RootLog } from '@clearframe/runtime/logging';
import { DiskFullError } from '@clearframe/runtime/storage';
import { inSpan, SpanKind } from '@clearframe/runtime/tracing';
import { Injectable } from '@nestjs/common';
import { type Job, UnrecoverableError } from 'bullmq';
import type { Logger } from 'pino';
import { DecoderCrashedError } from '../decoder/decoder.js';
import { InvalidImageError } from '../image/errors.js';
import { Metrics } from '../platform/metrics.js';
import { Cancellations, CancelledError, JobReleasedError, TimedOutError } from './cancellation.js';
import type { JobContext, RegisteredJob } from './job-handler.js';
import { ProgressReporter } from './progress.js';
import { RunReports } from './reports.js';

/** For an aborted handler. */
const ABORT_GRACE_MS = 1_000;

/** Runs one attempt, and maps its end to an outcome or to BullMQ's error. */
@Injectable()
export class RunExecutor {
  constructor(
    private readonly reports: RunReports,
    private readonly cancellations: Cancellations,
    private readonly metrics: Metrics,
    private readonly root: RootLog,
  ) {}

  /**
   * @param shutdown aborts with {@link JobReleasedError}
   * @throws UnrecoverableError without a retry, JobReleasedError when the job returns to the queue, any other error for
   * a retry
   */
  async execute(registered: RegisteredJob, job: Job, shutdown: AbortSignal): Promise<void> {
    const payload = this.unpack(registered, job);
    const ids = { subjectId: payload.subjectId, runId: payload.runId };
    const attempt = job.attemptsMade + 1;
    const log = this.root.log.child({ job: job.name, ...ids, traceId: traceIdOf(job.data), attempt });
    const earlier = await this.reports.find(registered.definition, ids);
    if (earlier) {
      log.info({ outcome: earlier.kind }, 'the run has already finished; reporting it again');
      await this.reports.send(registered.definition, ids, earlier);
      return;
    }
    const started = performance.now();
    const attributes = { 'clearframe.run_id': ids.runId, 'clearframe.attempt': attempt };
    const { traceparent } = job.data as JobEnvelope;
    const final = await inSpan(job.name, { kind: SpanKind.CONSUMER, traceparent, attributes }, async (span) => {
      const outcome = await this.attempt(registered, payload, job, log, shutdown);
      span.setAttribute('clearframe.outcome', outcome.kind);
      return this.settle(registered, ids, outcome);
    });
    log.info({ outcome: final.kind, ms: Math.round(performance.now() - started) }, 'the run is finished');
  }

  /** For a job without attempts left. */
  async reportFailed(registered: RegisteredJob, job: Job, error: Error): Promise<void> {
    const { subjectId, runId } = this.unpack(registered, job);
    const outcome: JobOutcome =
      // Each attempt ended its process.
      error instanceof DecoderCrashedError
        ? { kind: 'invalid', errorCode: 'uploads.undecodable' }
        : { kind: 'failed', errorCode: failureCodeOf(error) };
    await this.settle(registered, { subjectId, runId }, outcome);
  }

  private async settle({ definition }: RegisteredJob, ids: RunIds, outcome: JobOutcome): Promise<JobOutcome> {
    const final = await this.reports.settle(definition, ids, outcome);
    this.metrics.runs.inc({ job: definition.name, outcome: final.kind });
    return final;
  }

  /** @throws UnrecoverableError for an unknown version or invalid payload */
  private unpack({ definition }: RegisteredJob, job: Job): RunIds {
    try {
      return unpackJob(definition, job.data);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      if (cause instanceof UnknownVersionError) {
        this.root.log.warn({ jobId: job.id, reason }, 'a job of another version is left to other workers');
        throw Object.assign(new UnrecoverableError(UNKNOWN_JOB), { cause });
      }
      this.root.log.error({ job: job.name, jobId: job.id, reason }, 'the job is invalid');
      throw Object.assign(new UnrecoverableError('the job is invalid'), { cause });
    }
  }

  private async attempt(
    { definition, handler }: RegisteredJob,
    payload: RunIds,
    job: Job,
    log: Logger,
    shutdown: AbortSignal,
  ): Promise<JobOutcome> {
    const cancellation = await this.cancellations.watch(payload.runId);
    const clock = new AbortController();
    const silence = watchSilence(definition.timeoutMs, () => clock.abort(new TimedOutError(definition.timeoutMs)));
    const progress = new ProgressReporter((value) => job.updateProgress(value));
    const signal = AbortSignal.any([cancellation.signal, clock.signal, shutdown]);
    try {
      signal.throwIfAborted();
      const context: JobContext = {
        signal,
        log,
        progress: (fraction, running) => {
          silence.progressed();
          progress.report(fraction, running);
        },
      };
      const result = await settledWithin(handler.handle(payload, context), signal, ABORT_GRACE_MS);
      return { kind: 'completed', result };
    } catch (error) {
      return this.outcomeOfError(error, signal, log);
    } finally {
      silence.stop();
      cancellation.stop();
      progress.stop();
    }
  }

  /** An aborted run's outcome is the signal's reason, not the handler's error. */
  private outcomeOfError(thrown: unknown, signal: AbortSignal, log: Logger): JobOutcome {
    const error: unknown = signal.aborted ? signal.reason : thrown;
    if (error instanceof CancelledError) return { kind: 'cancelled' };
    if (error instanceof InvalidImageError) {
      log.info({ code: error.code, reason: reasonOf(error.cause) }, 'the picture was rejected');
      return { kind: 'invalid', errorCode: error.code };
    }
    if (error instanceof JobReleasedError || error instanceof UnrecoverableError) throw error;
    log.error({ err: error }, 'the attempt failed');
    if (error instanceof Error && 'retryable' in error && error.retryable === false) {
      throw Object.assign(new UnrecoverableError(error.message), { cause: error });
    }
    throw error;
  }
}

function failureCodeOf(error: Error): FailureCode {
  if (error instanceof TimedOutError) return 'tasks.timed_out';
  return error instanceof DiskFullError ? 'tasks.disk_full' : 'tasks.failed';
}

/** Decoders' messages contain file names; logs may hold ids only. */
const reasonOf = (cause: unknown): string | undefined =>
  cause instanceof Error ? cause.message.replaceAll(/\S*\/\S+/g, '…').slice(0, 200) : undefined;

/** Returns the work's result, or throws the signal's reason if work continues for `graceMs` after an abort. */
export async function settledWithin<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  graceMs: number,
): Promise<Result> {
  try {
    return await unlessAborted(work, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    return await withTimeout(work, graceMs, () => {
      throw signal.reason;
    });
  }
}
