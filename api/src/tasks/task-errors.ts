import { AppError } from '../platform/errors/app-error.js';
import type { TaskRow } from './task.entity.js';

/** The task's state doesn't allow the operation. */
export const wrongState = ({ status }: Pick<TaskRow, 'status'>): AppError =>
  new AppError('tasks.wrong_state', { details: { status } });

/** @throws AppError `tasks.not_found` */
export function requireTask(task: TaskRow | null): TaskRow {
  if (!task) throw new AppError('tasks.not_found');
  return task;
}
