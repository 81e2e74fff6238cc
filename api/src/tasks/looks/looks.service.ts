import { hasResult, type Looks } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../identity/caller/caller.js';
import { AppError } from '../../platform/errors/app-error.js';
import { TasksRepository } from '../records/tasks.repository.js';

/** Thumbnails of a picture with every look, blur and retouching style. */
@Injectable()
export class LooksService {
  constructor(private readonly tasks: TasksRepository) {}

  async order(caller: Caller, taskId: string): Promise<Looks> {
    return this.get(caller, taskId);
  }

  async get({ userId }: Caller, taskId: string): Promise<Looks> {
    const task = await this.tasks.findOwn(userId, taskId);
    if (!task) throw new AppError('tasks.not_found');
    if (!hasResult(task.status)) throw new AppError('tasks.wrong_state', { details: { status: task.status } });
    return { status: 'pending', looks: [] };
  }
}
