import { RUNNING_STATUSES } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { LimitsConfig } from '../platform/config/limits.config.js';
import { AppError } from '../platform/errors/app-error.js';
import { TaskRow } from './task.entity.js';

const RETRY_SECONDS = 30;

/** How much may wait for the networks at once. */
@Injectable()
export class QueueRoom {
  constructor(private readonly limits: LimitsConfig) {}

  /** @throws AppError `queue.full` */
  async refuseWhenFull(manager: EntityManager, adding: number): Promise<void> {
    const running = await manager.countBy(TaskRow, { status: In([...RUNNING_STATUSES]) });
    if (running + adding > this.limits.queueMaxWaiting) {
      throw new AppError('queue.full', { retryAfterSeconds: RETRY_SECONDS });
    }
  }
}
