import { inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import PQueue from 'p-queue';
import { DataSource, type EntityManager } from 'typeorm';
import {
  backoffMs,
  type DueRows,
  type DueWork,
  type PeriodicWork,
  type ScheduledWork,
  SchedulesWork,
  type WorkSource,
} from './work.js';

/**
 * All kinds of work are due at the start and when PostgreSQL comes back: their claims took every connection of the
 * pool, and requests answered 503.
 */
const CONCURRENT_STATEMENTS = 4;
/** Time between an attempt's timeout and the end of its lease. */
const LEASE_MARGIN_MS = inMilliseconds.seconds(5);
const MAX_REASON_LENGTH = 500;
const RETENTION = '90 days';
const PERIODIC = '';

/** A claim whose lease ended while its process was paused may be held by another process, with a later attempt. */
const HELD = 'kind = $1 AND subject = $2 AND attempts = $3';

export interface Claim {
  readonly subject: string;
  /** Starts at 1. Counted when claimed, so that a subject that crashes its process is set aside too. */
  readonly attempt: number;
}

const EMAIL = /[^\s<>"']+@[^\s<>"']+/g;

export const reasonOf = (error: unknown): string =>
  String(error).replace(EMAIL, '<address>').slice(0, MAX_REASON_LENGTH);

/**
 * A row in `work_attempts` exists while a subject is running, waits for its next attempt or is set aside.
 * `next_attempt_at` is also the lease: subjects of a crashed process become claimable.
 */
@SchedulesWork()
@Injectable()
export class WorkClaims implements WorkSource {
  readonly scheduledWork: readonly PeriodicWork[] = [
    {
      kind: 'schedule.tidy',
      everyMs: inMilliseconds.days(1),
      timeoutMs: inMilliseconds.minutes(1),
      backoff: { firstMs: inMilliseconds.minutes(1), maxMs: inMilliseconds.hours(1) },
      run: () => this.tidy(),
    },
  ];

  private readonly statements = new PQueue({ concurrency: CONCURRENT_STATEMENTS });

  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async claim(work: DueWork, due: DueRows): Promise<Claim | null> {
    const rows: { subject: string; attempts: number }[] = await this.query(claimSql(due), [
      ...(due.values ?? []),
      work.kind,
      work.timeoutMs + LEASE_MARGIN_MS,
    ]);
    return claimOf(rows);
  }

  /** Null while another process runs it or less than `everyMs` after the last run. */
  async claimPeriodic({ kind, timeoutMs }: PeriodicWork, isForced: boolean): Promise<Claim | null> {
    const rows: { subject: string; attempts: number }[] = await this.query(
      `INSERT INTO work_attempts AS held (kind, subject, attempts, next_attempt_at, created_at)
       VALUES ($1, '${PERIODIC}', 1, now() + $2 * interval '1 ms', now())
       ON CONFLICT (kind, subject) DO UPDATE SET attempts = held.attempts + 1, next_attempt_at = excluded.next_attempt_at
         WHERE held.next_attempt_at <= now() OR $3
       RETURNING subject, attempts`,
      [kind, timeoutMs + LEASE_MARGIN_MS, isForced],
    );
    return claimOf(rows);
  }

  async done({ kind }: ScheduledWork, { subject, attempt }: Claim): Promise<void> {
    await this.query(`DELETE FROM work_attempts WHERE ${HELD}`, [kind, subject, attempt]);
  }

  async postpone({ kind }: ScheduledWork, { subject, attempt }: Claim, waitMs: number): Promise<void> {
    await this.query(
      `UPDATE work_attempts SET attempts = 0, reason = NULL, next_attempt_at = now() + $4 * interval '1 ms'
       WHERE ${HELD}`,
      [kind, subject, attempt, waitMs],
    );
  }

  /** Gives a claim back without an attempt, for instance when the process shuts down. Earlier failures stay. */
  async release({ kind }: ScheduledWork, { subject, attempt }: Claim, waitMs = 0): Promise<void> {
    await this.query(
      `UPDATE work_attempts SET attempts = attempts - 1, next_attempt_at = now() + $4 * interval '1 ms' WHERE ${HELD}`,
      [kind, subject, attempt, waitMs],
    );
  }

  async failed({ kind, backoff }: ScheduledWork, { subject, attempt }: Claim, error: unknown): Promise<void> {
    await this.query(
      `UPDATE work_attempts SET reason = $4, next_attempt_at = now() + $5 * interval '1 ms' WHERE ${HELD}`,
      [kind, subject, attempt, reasonOf(error), backoffMs(attempt, backoff)],
    );
  }

  /** Stops attempts until an operator retries. Without an error the last reason stays. */
  async setAside({ kind }: ScheduledWork, { subject, attempt }: Claim, error?: unknown): Promise<void> {
    await this.query(
      `UPDATE work_attempts SET set_aside_at = now(),
         reason = coalesce($4, reason, 'the process ended during the attempt') WHERE ${HELD}`,
      [kind, subject, attempt, error === undefined ? null : reasonOf(error)],
    );
  }

  private query<Rows>(sql: string, values: readonly unknown[] = []): Promise<Rows> {
    return this.statements.add(() => this.database.query<Rows>(sql, [...values]));
  }

  /** Keeps what is set aside: it waits for an operator, and would be attempted again without its row. */
  private async tidy(): Promise<void> {
    await this.query(
      `DELETE FROM work_attempts WHERE set_aside_at IS NULL AND next_attempt_at < now() - interval '${RETENTION}'`,
    );
  }
}

const claimOf = ([row]: readonly { subject: string; attempts: number }[]): Claim | null =>
  row ? { subject: row.subject, attempt: row.attempts } : null;

/** Parameters: those of `where`, then the kind and the lease in milliseconds. */
export function claimSql({ table, subject, where, orderBy, values = [] }: DueRows): string {
  const [kind, lease] = [`$${values.length + 1}::text`, `$${values.length + 2}::float8`];
  return `WITH due AS (
      SELECT (${subject})::text AS subject FROM ${table}
      WHERE (${where}) AND (${subject})::text NOT IN (
        SELECT held.subject FROM work_attempts held
        WHERE held.kind = ${kind} AND (held.set_aside_at IS NOT NULL OR held.next_attempt_at > now()))
      ORDER BY ${orderBy} LIMIT 1 FOR UPDATE SKIP LOCKED)
    INSERT INTO work_attempts AS held (kind, subject, attempts, next_attempt_at, created_at)
    SELECT ${kind}, subject, 1, now() + ${lease} * interval '1 ms', now() FROM due
    ON CONFLICT (kind, subject) DO UPDATE SET attempts = held.attempts + 1, next_attempt_at = excluded.next_attempt_at
      WHERE held.next_attempt_at <= now() AND held.set_aside_at IS NULL
    RETURNING subject, attempts`;
}

interface StuckWork {
  readonly kind: string;
  readonly subject: string;
  readonly attempts: number;
  readonly reason: string;
  readonly since: Date;
  readonly nextAttemptAt: Date | null;
}

export async function listStuckWork(manager: EntityManager): Promise<StuckWork[]> {
  return manager.query(
    `SELECT kind, subject, attempts, coalesce(reason, '') AS reason, created_at AS since,
       CASE WHEN set_aside_at IS NULL THEN next_attempt_at END AS "nextAttemptAt"
     FROM work_attempts WHERE reason IS NOT NULL ORDER BY set_aside_at IS NULL, created_at, kind, subject`,
  );
}

export async function retryStuckWork(manager: EntityManager, kind: string, subject?: string): Promise<number> {
  const [, count]: [unknown[], number] = await manager.query(
    `UPDATE work_attempts SET attempts = 0, set_aside_at = NULL, next_attempt_at = now(), created_at = now()
     WHERE kind = $1 AND ($2::text IS NULL OR subject = $2) AND reason IS NOT NULL`,
    [kind, subject ?? null],
  );
  return count;
}

export async function deleteAttempts(manager: EntityManager, subjects: readonly string[]): Promise<void> {
  await manager.query('DELETE FROM work_attempts WHERE subject = ANY ($1)', [subjects]);
}
