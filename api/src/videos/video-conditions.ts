import { type AiPipeline, lockedTool, type Role, snakeCase } from '@clearframe/contract';
import { AppError } from '../platform/errors/app-error.js';
import type { RunsService } from '../runs/runs.service.js';
import type { Caller } from '../sessions/caller.js';
import { isVideo, type TaskRow, type VideoRow } from '../tasks/task.entity.js';
import type { TasksRepository } from '../tasks/tasks.repository.js';

const RETRY_SECONDS = 60;

export function requireTools(role: Role, aiPipeline: AiPipeline): void {
  const locked = lockedTool(role, aiPipeline);
  if (locked) throw new AppError('pipeline.not_in_plan', { details: { tool: snakeCase(locked) } });
}

/** @throws AppError `videos.unavailable` while workers are connected and none takes videos */
export async function requireVideoWorkers(runs: RunsService): Promise<void> {
  if (await runs.isServed('videos')) return;
  throw new AppError('videos.unavailable', { retryAfterSeconds: RETRY_SECONDS });
}

/** @throws AppError `tasks.not_found`, also for a picture and for another user's video */
export async function findOwnVideo(tasks: TasksRepository, { userId }: Caller, id: string): Promise<VideoRow> {
  return requireVideo(await tasks.requireOwn(userId, id));
}

/** @throws AppError `tasks.not_found` for a picture */
export function requireVideo(row: TaskRow): VideoRow {
  if (!isVideo(row)) throw new AppError('tasks.not_found');
  return row;
}
