import { inMilliseconds } from '@clearframe/contract';
import { DiscoveryService } from '@nestjs/core';

/** Wait before attempt n+1: `firstMs` doubled n-1 times, at most `maxMs`. Milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** What every kind of scheduled work states about itself. Durations are in milliseconds. */
interface Schedule {
  /** Names the work in logs, in `work_attempts` and in `pnpm ops stuck`, for instance `mail.deliver`. */
  readonly kind: string;
  readonly everyMs: number;
  /** An attempt that takes longer has failed; its `signal` is aborted. */
  readonly timeoutMs: number;
  readonly backoff: Backoff;
}

/**
 * Rows whose subjects are due, as parts of one SELECT. `where` has to stop matching once the work is done, and an index
 * has to serve it: it is asked every `everyMs`. Only constants of the source code go into the texts, the rest into
 * `values`.
 */
export interface DueRows {
  readonly table: string;
  /** Expression over the table that identifies the subject; becomes text. */
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

/** Returned by work on a subject that is due, but can't be finished yet: it is claimed again then, as a first attempt. */
export class Revisit {
  constructor(readonly inMs: number) {}
}

/**
 * Work on rows that become due. Each subject is claimed on its own in a short transaction, worked on outside of it, and
 * set aside with its reason after `maxAttempts` failures. An attempt may be repeated after a crash or a timeout, while
 * the one before may still be running: the work has to be safe to repeat.
 */
export interface DueWork extends Schedule {
  readonly maxAttempts: number;
  /** Subjects worked on at the same time in one process; 1 unless given. */
  readonly concurrency?: number;
  due(): DueRows | Promise<DueRows>;
  /** What it resolves with is ignored, unless it is a {@link Revisit}. */
  run(subject: string, attempt: Attempt): Promise<unknown>;
}

/** Work without subjects, done every `everyMs` by one of the processes. It is retried for ever, at most `maxMs` apart. */
export interface PeriodicWork extends Schedule {
  run(attempt: Attempt): Promise<unknown>;
}

export type ScheduledWork = DueWork | PeriodicWork;

/** A provider whose work is run by {@link WorkScheduler} in processes that run jobs. */
export interface WorkSource {
  readonly scheduledWork: readonly ScheduledWork[];
}

/** Marks a class that implements {@link WorkSource}. Boot finds it in every module. */
export const SchedulesWork = DiscoveryService.createDecorator();

/** For work that fails while another company or service is away, which may take days. */
export const PATIENT_BACKOFF: Backoff = { firstMs: inMilliseconds.seconds(5), maxMs: inMilliseconds.hours(1) };
/** About three and a half days of {@link PATIENT_BACKOFF}. */
export const PATIENT_ATTEMPTS = 96;

/** Milliseconds to wait after attempt `number` failed. */
export const waitAfter = (number: number, { firstMs, maxMs }: Backoff): number =>
  Math.min(firstMs * 2 ** (number - 1), maxMs);

export const isDueWork = (work: ScheduledWork): work is DueWork => 'due' in work;
