import type { EntityManager } from 'typeorm';
import type { DueRows } from './work.js';

/** `mail`: the file of a message. `media`: the files of a task. */
type DeletedKind = 'mail' | 'media';

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

export const dueDeletions = (kind: DeletedKind): DueRows => ({
  table: 'pending_deletions',
  subject: 'subject',
  where: 'kind = $1',
  orderBy: 'created_at',
  values: [kind],
});
