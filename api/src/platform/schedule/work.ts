import { inMilliseconds } from '@clearframe/contract';
import { DiscoveryService } from '@nestjs/core';

/** Milliseconds. The wait after attempt n is `firstMs` doubled n-1 times, at most `maxMs`. */
interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

interface Schedule {
  /** Name in logs, `work_attempts` and `pnpm ops stuck`, for instance `mail.deliver`. */
  readonly kind: string;
  readonly everyMs: number;
  /** An attempt that takes longer fails, and its `signal` is aborted. */
  readonly timeoutMs: number;
  readonly backoff: Backoff;
}

/**
 * Parts of a SELECT, constants only; variables go into `values`. `where` must stop matching when the work is done, and
 * needs an index: it is queried every `everyMs`.
 */
export interface DueRows {
  readonly table: string;
  /** Expression that identifies the subject; cast to text. */
  readonly subject: string;
  /** May refer to `values` as $1, $2 and so on. */
  readonly where: string;
  readonly orderBy: string;
  readonly values?: readonly unknown[];
}

export interface Attempt {
  readonly number: number;
  readonly signal: AbortSignal;
}

/** Returned when a due subject can't be finished yet. Claimed again after `inMs`, as a first attempt. */
export class RetryLater {
  constructor(readonly inMs: number) {}
}

/** Thrown when another attempt would fail as well: the subject is set aside at once. */
export class PermanentFailure extends Error {
  override readonly name = 'PermanentFailure';
}

/**
 * Work on rows that become due. Each subject is claimed in a short transaction, processed outside of it, and set aside
 * after `maxAttempts` failures or a {@link PermanentFailure}. Must be idempotent: after a timeout an attempt is repeated while the earlier one may
 * still run.
 */
export interface DueWork extends Schedule {
  readonly maxAttempts: number;
  readonly concurrency?: number;
  due(): DueRows | Promise<DueRows>;
  run(subject: string, attempt: Attempt): Promise<unknown>;
}

/** Run every `everyMs` by one process. Retried without limit, at most `maxMs` apart. */
export interface PeriodicWork extends Schedule {
  run(attempt: Attempt): Promise<unknown>;
}

export type ScheduledWork = DueWork | PeriodicWork;

export interface WorkSource {
  readonly scheduledWork: readonly ScheduledWork[];
}

/** Marks a class that implements {@link WorkSource}, in any module. */
export const SchedulesWork = DiscoveryService.createDecorator();

/** For work that depends on external services, whose outages may take days. */
export const OUTAGE_BACKOFF: Backoff = { firstMs: inMilliseconds.seconds(5), maxMs: inMilliseconds.hours(1) };
/** About three and a half days of {@link OUTAGE_BACKOFF}. */
export const OUTAGE_MAX_ATTEMPTS = 96;

export const backoffMs = (number: number, { firstMs, maxMs }: Backoff): number =>
  Math.min(firstMs * 2 ** (number - 1), maxMs);

export const isDueWork = (work: ScheduledWork): work is DueWork => 'due' in work;
