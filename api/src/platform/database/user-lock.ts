import type { EntityManager } from 'typeorm';

/**
 * Holds users until the transaction ends: whatever changes what somebody owns or may do, does it one after the other.
 * Taken first of all locks, and in the order of ids, so that no two transactions wait for each other.
 */
export async function lockUsers(manager: EntityManager, ...userIds: string[]): Promise<void> {
  for (const id of [...new Set(userIds)].sort()) {
    await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`user:${id}`]);
  }
}
