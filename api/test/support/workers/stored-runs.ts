import { randomUUID } from 'node:crypto';
import type { RunIds } from '@clearframe/contract';
import type { TestApi } from '../application.js';

interface StoredRun {
  readonly kind: string;
  readonly userId: string;
  readonly queue: string;
  readonly attempts: number;
  /** One that was dispatched was so a minute ago. Default: `dispatched`. */
  readonly status?: 'waiting' | 'dispatched';
}

/** Stores a run of the lowest priority, without a subject's row. */
export async function insertRun(api: TestApi, run: StoredRun): Promise<RunIds> {
  const { kind, userId, queue, attempts, status = 'dispatched' } = run;
  const ids = { subjectId: randomUUID(), runId: randomUUID() };
  await api.sql(
    `INSERT INTO runs (id, kind, subject_id, user_id, queue, priority, status, attempts, created_at, dispatched_at)
     VALUES ($1, $2, $3, $4, $5, 1, $6, $7, now(), CASE WHEN $6 = 'dispatched' THEN now() - interval '1 minute' END)`,
    [ids.runId, kind, ids.subjectId, userId, queue, status, attempts],
  );
  return ids;
}

export async function storedRun(api: TestApi, { runId }: RunIds) {
  const [row] = await api.sql<{ status: string; attempts: number; reason: string | null }>(
    'SELECT status, attempts, reason FROM runs WHERE id = $1',
    [runId],
  );
  return row;
}
