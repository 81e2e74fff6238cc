import { hasResult } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AppError } from '../../platform/errors/app-error.js';
import { TaskRow } from '../records/task.entity.js';

/** What billing needs of tasks that are paid for one by one. */
@Injectable()
export class TaskKeeping {
  /**
   * Makes sure that a task is somebody's, has a result and is not paid for yet.
   * @throws AppError `tasks.not_found`, `tasks.wrong_state`, `exports.already_unlocked`
   */
  async checkPayable(manager: EntityManager, userId: string, taskId: string): Promise<void> {
    const task = await manager.findOneBy(TaskRow, { id: taskId, userId });
    if (!task) throw new AppError('tasks.not_found');
    if (task.exportedAt) throw new AppError('exports.already_unlocked');
    if (!hasResult(task.status)) throw new AppError('tasks.wrong_state', { details: { status: task.status } });
  }

  /** Keeps a task's media for at least some days from now: what was paid for is not deleted the next day. */
  async keep(manager: EntityManager, taskId: string, days: number): Promise<void> {
    await manager.query(
      'UPDATE tasks SET expires_at = greatest(expires_at, now() + make_interval(days => $2)) WHERE id = $1',
      [taskId, days],
    );
  }
}
