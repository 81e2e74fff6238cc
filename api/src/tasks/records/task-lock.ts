import type { EntityManager } from 'typeorm';
import { lockUsers } from '../../platform/database/user-lock.js';
import { TaskRow } from './task.entity.js';

/** A task with its owner, held until the transaction ends; null where it is gone. The owner first, as everybody does. */
export async function lockTaskWithOwner(manager: EntityManager, id: string): Promise<TaskRow | null> {
  const ownerOf = async () =>
    (await manager.findOne(TaskRow, { where: { id }, select: { id: true, userId: true } }))?.userId;
  let owner = await ownerOf();
  while (owner) {
    await lockUsers(manager, owner);
    // A guest may have logged in while we waited: then the task is somebody else's now.
    const current = await ownerOf();
    if (current === owner) return manager.findOne(TaskRow, { where: { id }, lock: { mode: 'pessimistic_write' } });
    owner = current;
  }
  return null;
}
