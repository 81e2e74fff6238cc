import { inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { type DueWork, type PeriodicWork, SchedulesWork, type WorkSource } from '../platform/schedule/work.js';
import { SharingsRepository } from './sharings.repository.js';
import { SharingsService } from './sharings.service.js';

const EVERY_MS = inMilliseconds.minutes(10);
/** Days for which an expired link answers that it has expired. */
const REMEMBERED_DAYS = 90;

@SchedulesWork()
@Injectable()
export class SharingsRetention implements WorkSource {
  readonly scheduledWork: readonly (DueWork | PeriodicWork)[];

  constructor(sharings: SharingsService, repository: SharingsRepository) {
    const expired: DueWork = {
      kind: 'retention.sharings',
      everyMs: EVERY_MS,
      timeoutMs: inMilliseconds.minutes(1),
      maxAttempts: 20,
      backoff: { firstMs: inMilliseconds.minutes(1), maxMs: inMilliseconds.hours(6) },
      due: () => ({
        table: 'sharings',
        subject: 'id',
        where: 'expires_at < now() AND task_id IS NOT NULL',
        orderBy: 'expires_at',
      }),
      run: (id) => sharings.expire(id),
    };
    const remembered: PeriodicWork = {
      kind: 'retention.expired-sharings',
      everyMs: EVERY_MS,
      timeoutMs: EVERY_MS,
      backoff: { firstMs: inMilliseconds.minutes(1), maxMs: inMilliseconds.hours(1) },
      run: () => repository.deleteDetached(REMEMBERED_DAYS),
    };
    this.scheduledWork = [expired, remembered];
  }
}
