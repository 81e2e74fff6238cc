import { Injectable, Logger } from '@nestjs/common';
import { type DueRows, type DueWork, isDueWork, type PeriodicWork, Revisit, type ScheduledWork } from './work.js';
import { type Claim, WorkClaims } from './work-claims.js';

/** How a pass is started and ended. */
export interface PassOptions {
  /** Do periodic work also when it is not due. */
  readonly isForced?: boolean;
  /** Claim nothing more. */
  readonly stop?: AbortSignal;
  /** Give up what is running; it is claimed again by another process. */
  readonly abort?: AbortSignal;
}

/** What the passes over one kind of work share in a process. */
export class WorkState {
  /** Subjects being worked on, or being looked for. */
  lanes = 0;
  /** Subjects worked on since all lanes ended last. */
  readonly seen = new Set<string>();
}

/** Passes over due work. Any number of processes may run passes at once. */
@Injectable()
export class WorkRunner {
  private readonly logger = new Logger(WorkRunner.name);

  constructor(private readonly claims: WorkClaims) {}

  /**
   * Works on everything that is due, one subject after the other, or as many at once as the work allows and `state`
   * leaves. Failures of subjects are recorded, not thrown.
   * @throws when claims can't be made or recorded, as while PostgreSQL is away
   */
  async pass(work: ScheduledWork, options: PassOptions = {}, state = new WorkState()): Promise<void> {
    if (state.lanes >= concurrencyOf(work)) return;
    state.lanes += 1;
    try {
      if (isDueWork(work)) await this.lane(work, await work.due(), options, state);
      else await this.periodic(work, options);
    } finally {
      state.lanes -= 1;
      if (state.lanes === 0) state.seen.clear();
    }
  }

  private async lane(work: DueWork, rows: DueRows, options: PassOptions, state: WorkState): Promise<void> {
    const others: Promise<void>[] = [];
    while (!options.stop?.aborted) {
      const claim = await this.claims.claim(work, rows);
      if (!claim) break;
      others.push(this.pass(work, options, state));
      // Done, and due all the same: without a pause this would go on for ever.
      if (state.seen.has(claim.subject)) await this.claims.postpone(work, claim.subject, work.everyMs);
      else if (claim.attempt > work.maxAttempts) await this.setAside(work, claim);
      else await this.attempt(work, claim, options.abort);
      state.seen.add(claim.subject);
    }
    await Promise.all(others);
  }

  private async attempt(work: DueWork, claim: Claim, abort?: AbortSignal): Promise<void> {
    const { subject, attempt } = claim;
    try {
      const result = await within(work.timeoutMs, abort, (signal) => work.run(subject, { number: attempt, signal }));
      if (result instanceof Revisit) await this.claims.postpone(work, subject, result.inMs);
      else await this.claims.done(work, subject);
    } catch (error) {
      if (abort?.aborted) return this.claims.release(work, claim);
      this.logger.warn({ kind: work.kind, subject, attempt, err: error }, 'scheduled work failed');
      if (attempt >= work.maxAttempts) await this.setAside(work, claim, error);
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
      await this.claims.postpone(work, claim.subject, work.everyMs);
    } catch (error) {
      if (abort?.aborted) return this.claims.release(work, claim);
      this.logger.warn({ kind: work.kind, attempt: claim.attempt, err: error }, 'periodic work failed');
      await this.claims.failed(work, claim, error);
    }
  }
}

export const concurrencyOf = (work: ScheduledWork): number => (isDueWork(work) && work.concurrency) || 1;

/** Runs until it ends, its time is over or it is aborted; what ignores its signal is left behind. */
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
