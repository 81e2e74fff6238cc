import { hasResult, isUntouched } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { isVideo, newestResultOf, wrongState } from './task.entity.js';
import { TasksRepository } from './tasks.repository.js';

/** What keeps a task's media: tasks that are paid for one by one, and sharings. */
@Injectable()
export class TaskRetention {
  constructor(private readonly tasks: TasksRepository) {}

  /**
   * @throws AppError unless the user's task is a picture with a result and is not paid for: `tasks.not_found`, `tasks.wrong_state`,
   * `exports.already_unlocked`, `exports.untouched`
   */
  async checkPayable(manager: EntityManager, userId: string, taskId: string): Promise<void> {
    const task = await this.tasks.requireOwn(userId, taskId, manager);
    if (task.exportedAt) throw new AppError('exports.already_unlocked');
    if (!hasResult(task.status) || isVideo(task)) throw wrongState(task);
    const newest = newestResultOf(task);
    if (newest && isUntouched(newest.image.recipe)) throw new AppError('exports.untouched');
  }

  keepUntil(manager: EntityManager, taskId: string, until: Date): Promise<void> {
    return this.tasks.extendExpiryTo(manager, taskId, until);
  }

  extend(manager: EntityManager, taskId: string, days: number): Promise<void> {
    return this.tasks.extendExpiry(manager, taskId, days);
  }
}
