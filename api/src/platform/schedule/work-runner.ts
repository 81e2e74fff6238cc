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

export interface PassOptions {
  readonly isForced?: boolean;
  readonly stop?: AbortSignal;
  /** Aborts running work, which another process then claims. */
  readonly abort?: AbortSignal;
}

export class WorkState {
  workers = 0;
  readonly seen = new Set<string>();
}

@Injectable()
export class WorkRunner {
  private readonly logger = new Logger(WorkRunner.name);

  constructor(private readonly claims: WorkClaims) {}

  /**
   * Processes due subjects until none is left, up to the concurrency of the work. Failures of subjects are recorded.
   * @throws when claims can't be made or recorded, for instance while PostgreSQL is unavailable
   */
  async pass(work: ScheduledWork, options: PassOptions = {}, state = new WorkState()): Promise<void> {
    if (state.workers >= concurrencyOf(work)) return;
    state.workers += 1;
    try {
      if (isDueWork(work)) await this.runWorker(work, await work.due(), options, state);
      else await this.periodic(work, options);
    } finally {
      state.workers -= 1;
      if (state.workers === 0) state.seen.clear();
    }
  }

  private async runWorker(work: DueWork, rows: DueRows, options: PassOptions, state: WorkState): Promise<void> {
    const peers: Promise<void>[] = [];
    while (!options.stop?.aborted) {
      const claim = await this.claims.claim(work, rows);
      if (!claim) break;
      peers.push(this.pass(work, options, state));
      if (state.seen.has(claim.subject)) await this.claims.postpone(work, claim, work.everyMs);
      else if (claim.attempt > work.maxAttempts) await this.setAside(work, claim);
      else await this.attempt(work, claim, options.abort);
      state.seen.add(claim.subject);
    }
    await Promise.all(peers);
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

export const concurrencyOf = (work: ScheduledWork): number => (isDueWork(work) && work.concurrency) || 1;

/** Rejects on timeout or abort even if `run` ignores its signal. */
async function within<Result>(
  timeoutMs: number,
  abort: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = abort ? AbortSignal.any([timeout, abort]) : timeout;
  const ended = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => ended.reject(signal.reason), { once: true });
  ended.promise.catch(() => undefined);
  const running = run(signal);
  running.catch(() => undefined);
  return Promise.race([running, ended.promise]);
}
