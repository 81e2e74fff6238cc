import type { EntityManager } from 'typeorm';
import type { DueRows } from './work.js';

/**
 * `mail`: the file of a message. `media`: the files of a task. `analysis`: a picture that is deleted once it is measured,
 * added before it is stored.
 */
type DeletedKind = 'mail' | 'media' | 'analysis';

/** Written in the transaction that deletes the rows, so that no file is left without a trace. */
export async function addDeletions(
  manager: EntityManager,
  kind: DeletedKind,
  subjects: readonly string[],
): Promise<void> {
  await manager.query(
    'INSERT INTO pending_deletions (kind, subject) SELECT $1, unnest($2::uuid[]) ON CONFLICT DO NOTHING',
    [kind, subjects],
  );
}

export async function finishDeletion(manager: EntityManager, kind: DeletedKind, subject: string): Promise<void> {
  await manager.query('DELETE FROM pending_deletions WHERE kind = $1 AND subject = $2', [kind, subject]);
}

/** Locks it until the transaction ends. False when it is finished. */
export async function lockDeletion(manager: EntityManager, kind: DeletedKind, subject: string): Promise<boolean> {
  const rows: unknown[] = await manager.query(
    'SELECT FROM pending_deletions WHERE kind = $1 AND subject = $2 FOR UPDATE',
    [kind, subject],
  );
  return rows.length > 0;
}

/** @param afterSeconds age of a deletion that is due */
export const dueDeletions = (kind: DeletedKind, afterSeconds = 0): DueRows => ({
  table: 'pending_deletions',
  subject: 'subject',
  where: 'kind = $1 AND created_at <= now() - make_interval(secs => $2)',
  orderBy: 'created_at',
  values: [kind, afterSeconds],
});
