import { unlessAborted } from '@clearframe/runtime/concurrency';
import { Injectable, Logger } from '@nestjs/common';
import {
  type DueRows,
  type DueWork,
  isDueWork,
  type PeriodicWork,
  PermanentFailure,
  RetryLater,
  type ScheduledWork,
} from './work.js';
import { type Claim, WorkClaims } from './work-claims.js';

interface PassOptions {
  readonly isForced?: boolean;
  readonly stop?: AbortSignal;
  /** Aborts running work, which another process then claims. */
  readonly abort?: AbortSignal;
}

export class WorkState {
  /** When each subject was last attempted. */
  private readonly seen = new Map<string, number>();
  private running = 0;

  get workers(): number {
    return this.running;
  }

  see(subject: string): void {
    this.seen.set(subject, performance.now());
  }

  /** An attempt longer ago counts as that of an earlier pass: other subjects may keep this one busy for hours. */
  hasSeen(subject: string, withinMs: number): boolean {
    const seenAt = this.seen.get(subject);
    return seenAt !== undefined && performance.now() - seenAt < withinMs;
  }

  async run(worker: () => Promise<void>): Promise<void> {
    this.running += 1;
    try {
      await worker();
    } finally {
      this.running -= 1;
      if (this.running === 0) this.seen.clear();
    }
  }
}

@Injectable()
export class WorkRunner {
  private readonly logger = new Logger(WorkRunner.name);

  constructor(private readonly claims: WorkClaims) {}

  /**
   * Processes due subjects until none is left, up to the concurrency of the work. Failures of subjects are recorded.
   * @throws when claims can't be made or recorded, for instance while PostgreSQL is unavailable; once all workers ended
   */
  async pass(work: ScheduledWork, options: PassOptions = {}, state = new WorkState()): Promise<void> {
    if (state.workers >= concurrencyOf(work)) return;
    if (isDueWork(work)) return this.runWorkers(work, await work.due(), options, state);
    await state.run(() => this.periodic(work, options));
  }

  /** A claim starts the next worker, so that a pass without due subjects costs one statement. */
  private async runWorkers(work: DueWork, rows: DueRows, options: PassOptions, state: WorkState): Promise<void> {
    const workers: Promise<void>[] = [];
    const errors: unknown[] = [];
    const start = () => {
      if (state.workers >= concurrencyOf(work)) return;
      const worker = state.run(() => this.runWorker(work, rows, options, state, start));
      workers.push(worker.catch((error: unknown) => void errors.push(error)));
    };
    start();
    // The array grows meanwhile.
    for (const worker of workers) await worker;
    if (errors.length > 0) throw errors[0];
  }

  private async runWorker(
    work: DueWork,
    rows: DueRows,
    { stop, abort }: PassOptions,
    state: WorkState,
    startNext: () => void,
  ): Promise<void> {
    while (!stop?.aborted) {
      const claim = await this.claims.claim(work, rows);
      if (!claim) return;
      startNext();
      if (state.hasSeen(claim.subject, work.everyMs)) {
        await this.claims.release(work, claim, work.everyMs);
        continue;
      }
      if (claim.attempt > work.maxAttempts) await this.setAside(work, claim);
      else await this.attempt(work, claim, abort);
      state.see(claim.subject);
    }
  }

  private async attempt(work: DueWork, claim: Claim, abort?: AbortSignal): Promise<void> {
    const { subject, attempt } = claim;
    try {
      const result = await within(work.timeoutMs, abort, (signal) => work.run(subject, { number: attempt, signal }));
      if (result instanceof RetryLater) await this.claims.postpone(work, claim, result.inMs);
      else await this.claims.done(work, claim);
    } catch (error) {
      if (abort?.aborted) return this.claims.release(work, claim);
      this.logger.warn({ kind: work.kind, subject, attempt, err: error }, 'scheduled work failed');
      if (attempt >= work.maxAttempts || error instanceof PermanentFailure) await this.setAside(work, claim, error);
      else await this.claims.failed(work, claim, error);
    }
  }

  private async setAside(work: DueWork, claim: Claim, error?: unknown): Promise<void> {
    await this.claims.setAside(work, claim, error);
    this.logger.error(
      { kind: work.kind, subject: claim.subject },
      'scheduled work was set aside: see `pnpm ops stuck`',
    );
  }

  private async periodic(work: PeriodicWork, { isForced = false, abort }: PassOptions): Promise<void> {
    const claim = await this.claims.claimPeriodic(work, isForced);
    if (!claim) return;
    try {
      await within(work.timeoutMs, abort, (signal) => work.run({ number: claim.attempt, signal }));
      await this.claims.postpone(work, claim, work.everyMs);
    } catch (error) {
      if (abort?.aborted) return this.claims.release(work, claim);
      this.logger.warn({ kind: work.kind, attempt: claim.attempt, err: error }, 'periodic work failed');
      await this.claims.failed(work, claim, error);
    }
  }
}

const concurrencyOf = (work: ScheduledWork): number => (isDueWork(work) && work.concurrency) || 1;

/** Rejects on timeout or abort even if `run` ignores its signal. */
function within<Result>(
  timeoutMs: number,
  abort: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = abort ? AbortSignal.any([timeout, abort]) : timeout;
  return unlessAborted(run(signal), signal);
}
