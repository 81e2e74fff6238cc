import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { LimitsConfig } from '../platform/config/limits.config.js';
import { AppError } from '../platform/errors/app-error.js';
import { RunsRepository } from './runs.repository.js';

const RETRY_SECONDS = 30;

@Injectable()
export class RunCapacity {
  constructor(
    private readonly limits: LimitsConfig,
    private readonly repository: RunsRepository,
  ) {}

  /**
   * Limits open runs of the user, renders aside, and, as a last resort, of all users. The caller holds the user or the
   * upload, so that two requests don't pass together.
   * @throws AppError `queue.full`
   */
  async check(manager: EntityManager, userId: string, adding: number): Promise<void> {
    const { queueMaxPerUser, queueMaxWaiting } = this.limits;
    const open = await this.repository.countOpen(manager, userId, { own: queueMaxPerUser, all: queueMaxWaiting });
    if (open.own + adding > queueMaxPerUser || open.all + adding > queueMaxWaiting) {
      throw queueFull();
    }
  }

  /**
   * Limits files that a user requests: exports, conversions, probes of videos. The product's own, two for a picture,
   * count and are never refused.
   * @throws AppError `queue.full`
   */
  async checkRenders(manager: EntityManager, userId: string): Promise<void> {
    const { queueMaxRendersPerUser: limit } = this.limits;
    if ((await this.repository.countOpenRenders(manager, userId, limit)) >= limit) throw queueFull();
  }
}

const queueFull = (): AppError => new AppError('queue.full', { retryAfterSeconds: RETRY_SECONDS });
