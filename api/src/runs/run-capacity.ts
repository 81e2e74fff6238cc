import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { LimitsConfig } from '../platform/config/limits.config.js';
import { AppError } from '../platform/errors/app-error.js';
import { RunsRepository } from './model/runs.repository.js';

const RETRY_SECONDS = 30;

/** How many runs may be open at once. */
@Injectable()
export class RunCapacity {
  constructor(
    private readonly limits: LimitsConfig,
    private readonly repository: RunsRepository,
  ) {}

  /**
   * Refuses runs beyond the user's own bound, and beyond the bound on everything as the last resort. The user is locked
   * or holds the upload that the runs are for, so that two requests don't pass together.
   * @throws AppError `queue.full`
   */
  async check(manager: EntityManager, userId: string, adding: number): Promise<void> {
    const { queueMaxPerUser, queueMaxWaiting } = this.limits;
    const open = await this.repository.countOpen(manager, userId, { own: queueMaxPerUser, all: queueMaxWaiting });
    if (open.own + adding > queueMaxPerUser || open.all + adding > queueMaxWaiting) {
      throw new AppError('queue.full', { retryAfterSeconds: RETRY_SECONDS });
    }
  }
}
