import { type AiPipeline, lockedTool, type Role, snakeCase } from '@clearframe/contract';
import { AppError } from '../platform/errors/app-error.js';
import type { RunsService } from '../runs/runs.service.js';

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
