import { inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { type PeriodicWork, SchedulesWork, type WorkSource } from '../platform/schedule/work.js';
import { WebEventsRepository } from './web-events.repository.js';

/** Long enough to compare two quarters. */
const KEPT_DAYS = 180;

@SchedulesWork()
@Injectable()
export class WebEventsRetention implements WorkSource {
  readonly scheduledWork: readonly PeriodicWork[];

  constructor(events: WebEventsRepository) {
    this.scheduledWork = [
      {
        kind: 'retention.web-events',
        everyMs: inMilliseconds.hours(1),
        timeoutMs: inMilliseconds.minutes(10),
        backoff: { firstMs: inMilliseconds.minutes(1), maxMs: inMilliseconds.hours(1) },
        run: () => events.deleteOlderThan(KEPT_DAYS),
      },
    ];
  }
}
