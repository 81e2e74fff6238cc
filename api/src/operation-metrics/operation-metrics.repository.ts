import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

interface OpenRuns {
  readonly queue: string;
  readonly priority: number;
  readonly status: 'waiting' | 'dispatched';
  readonly count: number;
  readonly oldestSeconds: number;
}

interface Backlog {
  readonly kind: string;
  readonly count: number;
  /** Of the oldest, beyond the time at which it was due; 0 where there is none. */
  readonly oldestSeconds: number;
}

interface Drift {
  readonly ledger: 'credits' | 'exports' | 'videos';
  readonly count: number;
}

const SECONDS_SINCE = (time: string): string => `coalesce(extract(epoch FROM now() - min(${time})), 0)::float`;

/** What `/metrics` reads. Each statement reads a partial index of what is open; none grows with finished work. */
@Injectable()
export class OperationMetricsRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  openRuns(): Promise<OpenRuns[]> {
    return this.database.query(
      `SELECT queue, priority, status, count(*)::int AS count, ${SECONDS_SINCE('coalesce(dispatched_at, created_at)')} AS "oldestSeconds"
       FROM runs WHERE status IN ('waiting', 'dispatched') GROUP BY queue, priority, status`,
    );
  }

  backlogs(): Promise<Backlog[]> {
    return this.database.query(
      `SELECT 'webhook_events' AS kind, count(*)::int AS count, ${SECONDS_SINCE('received_at')} AS "oldestSeconds"
         FROM webhook_events WHERE processed_at IS NULL
       UNION ALL SELECT 'mail', count(*)::int, ${SECONDS_SINCE('next_attempt_at')}
         FROM mail_messages WHERE sent_at IS NULL AND next_attempt_at < now()
       UNION ALL SELECT 'webhook_deliveries', count(*)::int, ${SECONDS_SINCE('next_attempt_at')}
         FROM webhook_deliveries WHERE status = 'pending' AND next_attempt_at < now()
       UNION ALL SELECT 'deletions', count(*)::int, ${SECONDS_SINCE('created_at')} FROM pending_deletions`,
    );
  }

  /** Work that needs an operator (`pnpm ops stuck list`). */
  stuck(): Promise<{ kind: string; count: number }[]> {
    return this.database.query(
      `SELECT kind, count(*)::int AS count FROM work_attempts WHERE set_aside_at IS NOT NULL GROUP BY kind
       UNION ALL SELECT 'runs.settle', count(*)::int FROM runs WHERE status = 'failed' AND attempts > 40
       UNION ALL SELECT 'runs.dispatch', count(*)::int FROM runs WHERE status = 'waiting' AND reason IS NOT NULL`,
    );
  }

  /** Pictures and videos that are said to be in work, and no run works on them. */
  async lostTasks(): Promise<number> {
    const [row]: { count: number }[] = await this.database.query(
      `SELECT count(*)::int AS count FROM tasks WHERE status IN ('processing', 'reprocessing') AND NOT EXISTS (
         SELECT FROM runs WHERE runs.subject_id = tasks.id AND runs.status IN ('waiting', 'dispatched'))`,
    );
    return row?.count ?? 0;
  }

  /**
   * Rows that contradict each other: pieces that were paid and not credited, exports by credit that took none (both of
   * the last day), and reservations of videos that no run will settle.
   */
  drift(): Promise<Drift[]> {
    return this.database.query(
      `SELECT 'credits' AS ledger, count(*)::int AS count FROM payments
         WHERE status = 'succeeded' AND settled_at BETWEEN now() - interval '1 day' AND now() - interval '1 minute'
           AND user_id IS NOT NULL AND exports > 0
           AND NOT EXISTS (SELECT FROM credit_entries WHERE credit_entries.id = 'purchase:' || payments.id)
       UNION ALL SELECT 'exports', count(*)::int FROM export_uses
         WHERE source = 'credit' AND created_at BETWEEN now() - interval '1 day' AND now() - interval '1 minute'
           AND NOT EXISTS (SELECT FROM credit_entries WHERE credit_entries.id = 'export:' || export_uses.id)
       UNION ALL SELECT 'videos', count(*)::int FROM video_uses
         WHERE NOT is_kept AND created_at < now() - interval '1 minute' AND NOT EXISTS (
           SELECT FROM runs WHERE runs.subject_id = video_uses.task_id AND runs.status IN ('waiting', 'dispatched'))`,
    );
  }

  /** Seconds since 1970; null before the first one. */
  async lastBackupAt(): Promise<number | null> {
    const [row]: { at: number | null }[] = await this.database.query(
      `SELECT extract(epoch FROM max(created_at))::float AS at FROM audit_entries WHERE action = 'backups.create'`,
    );
    return row?.at ?? null;
  }
}
