import { inMilliseconds } from '@clearframe/contract';
import { DiscoveryService } from '@nestjs/core';

/** Wait before attempt n+1: `firstMs` doubled n-1 times, at most `maxMs`. Milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Common properties of scheduled work. Durations are in milliseconds. */
interface Schedule {
  /** Name in logs, `work_attempts` and `pnpm ops stuck`, for instance `mail.deliver`. */
  readonly kind: string;
  readonly everyMs: number;
  /** An attempt that takes longer fails, and its `signal` is aborted. */
  readonly timeoutMs: number;
  readonly backoff: Backoff;
}

/**
 * Due rows, as parts of one SELECT. `where` must stop matching when the work is done and needs an index: it is queried
 * every `everyMs`. The parts contain constants only; variables go into `values`.
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

/** One attempt at one subject. */
export interface Attempt {
  /** From 1. */
  readonly number: number;
  readonly signal: AbortSignal;
}

/** Returned when a due subject can't be finished yet: it is claimed again after `inMs`, as a first attempt. */
export class Revisit {
  constructor(readonly inMs: number) {}
}

/**
 * Work on rows that become due. Each subject is claimed in a short transaction, worked on outside of it, and set aside
 * with its reason after `maxAttempts` failures. Must be idempotent: after a crash or a timeout an attempt is repeated,
 * while the earlier one may still be running.
 */
export interface DueWork extends Schedule {
  readonly maxAttempts: number;
  /** Concurrent subjects in one process; 1 by default. */
  readonly concurrency?: number;
  due(): DueRows | Promise<DueRows>;
  /** The result is ignored, unless it is a {@link Revisit}. */
  run(subject: string, attempt: Attempt): Promise<unknown>;
}

/** Work without subjects, run every `everyMs` by one process. Retried without limit, at most `maxMs` apart. */
export interface PeriodicWork extends Schedule {
  run(attempt: Attempt): Promise<unknown>;
}

export type ScheduledWork = DueWork | PeriodicWork;

/** A provider of work for {@link WorkScheduler}. */
export interface WorkSource {
  readonly scheduledWork: readonly ScheduledWork[];
}

/** Marks a class that implements {@link WorkSource}, in any module. */
export const SchedulesWork = DiscoveryService.createDecorator();

/** For work that depends on external services, whose outages may take days. */
export const PATIENT_BACKOFF: Backoff = { firstMs: inMilliseconds.seconds(5), maxMs: inMilliseconds.hours(1) };
/** About three and a half days of {@link PATIENT_BACKOFF}. */
export const PATIENT_ATTEMPTS = 96;

/** Milliseconds to wait after attempt `number` failed. */
export const waitAfter = (number: number, { firstMs, maxMs }: Backoff): number =>
  Math.min(firstMs * 2 ** (number - 1), maxMs);

export const isDueWork = (work: ScheduledWork): work is DueWork => 'due' in work;
