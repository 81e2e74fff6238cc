import type { EntityManager } from 'typeorm';

export interface StuckWork {
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
