import type { EntityManager } from 'typeorm';
import { LAST_ATTEMPT, type RunRow } from './run.entity.js';

export const listAbandonedRuns = (
  manager: EntityManager,
): Promise<Pick<RunRow, 'id' | 'kind' | 'attempts' | 'createdAt' | 'reason'>[]> =>
  manager.query(
    `SELECT id, kind, attempts, created_at AS "createdAt", reason FROM runs
     WHERE status = 'failed' AND attempts > $1 ORDER BY created_at, id`,
    [LAST_ATTEMPT],
  );

export async function retryAbandonedRuns(manager: EntityManager, id?: string): Promise<number> {
  const [, count]: [unknown[], number] = await manager.query(
    `UPDATE runs SET status = 'waiting', attempts = 0, progress = 0, progress_until = NULL, error_code = NULL, reason = NULL,
       dispatched_at = NULL, started_at = NULL, finished_at = NULL
     WHERE status = 'failed' AND attempts > $1 AND ($2::text IS NULL OR id::text = $2)`,
    [LAST_ATTEMPT, id ?? null],
  );
  return count;
}

export interface UnservedRuns {
  readonly kind: string;
  readonly count: number;
  readonly since: Date;
  readonly reason: string;
}

/**
 * Waiting runs that nothing takes, by kind: no connected worker has their job, or this version has no such kind.
 * @param known kinds of this version
 */
export const listUnservedRuns = (manager: EntityManager, known: readonly string[]): Promise<UnservedRuns[]> =>
  manager.query(
    `SELECT kind, count(*)::int AS count, min(created_at) AS since,
       coalesce(max(reason), 'this version has no such kind') AS reason
     FROM runs WHERE status = 'waiting' AND (reason IS NOT NULL OR kind <> ALL ($1)) GROUP BY kind ORDER BY since, kind`,
    [known],
  );
