import type { EntityManager } from 'typeorm';

/**
 * Serializes changes to what a user owns or may do, until the transaction ends. Taken before all other locks and in the
 * order of ids, to avoid deadlocks.
 */
export async function lockUsers(manager: EntityManager, ...userIds: string[]): Promise<void> {
  for (const id of [...new Set(userIds)].sort()) {
    await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`user:${id}`]);
  }
}
