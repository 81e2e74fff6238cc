import type { RunQueue, ServiceComponentName, ServiceState } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

export interface MeasuredComponent {
  readonly name: ServiceComponentName;
  readonly status: ServiceState;
  readonly waitingSeconds: number | null;
}

export interface StoredComponent extends MeasuredComponent {
  readonly since: Date;
  /** Whether it was measured within the time asked for. */
  readonly isRecent: boolean;
}

/** Runs whose wait counts: the newest that began within ten minutes. */
const RECENT_RUNS = 50;

@Injectable()
export class ServiceStatusRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** The median wait of those that began lately, else how long the first of the waiting ones waits; 0 with neither. */
  async waitingSecondsOf(queue: RunQueue): Promise<number> {
    const [row]: { seconds: number }[] = await this.database.query(
      `SELECT ceil(coalesce(
         (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM dispatched_at - created_at)) FROM (
            SELECT dispatched_at, created_at FROM runs
            WHERE queue = $1 AND dispatched_at > now() - interval '10 minutes'
            ORDER BY dispatched_at DESC LIMIT $2) lately),
         (SELECT extract(epoch FROM now() - min(created_at)) FROM runs WHERE queue = $1 AND status = 'waiting'),
         0))::int AS seconds`,
      [queue, RECENT_RUNS],
    );
    return Math.max(0, row?.seconds ?? 0);
  }

  /** A state lasts until another one is measured, or nothing for `gapSeconds`. */
  async save({ name, status, waitingSeconds }: MeasuredComponent, gapSeconds: number): Promise<void> {
    await this.database.query(
      `INSERT INTO service_components AS known (name, status, waiting_seconds, since, measured_at)
       VALUES ($1, $2, $3, now(), now())
       ON CONFLICT (name) DO UPDATE SET status = $2, waiting_seconds = $3, measured_at = now(),
         since = CASE WHEN known.status = $2 AND known.measured_at > now() - make_interval(secs => $4)
           THEN known.since ELSE now() END`,
      [name, status, waitingSeconds, gapSeconds],
    );
  }

  async read(gapSeconds: number): Promise<StoredComponent[]> {
    return this.database.query(
      `SELECT name, status, waiting_seconds AS "waitingSeconds",
         CASE WHEN measured_at > now() - make_interval(secs => $1) THEN since ELSE measured_at END AS since,
         measured_at > now() - make_interval(secs => $1) AS "isRecent"
       FROM service_components`,
      [gapSeconds],
    );
  }
}
