import { inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import {
  type Attempt,
  type DueWork,
  OUTAGE_BACKOFF,
  OUTAGE_MAX_ATTEMPTS,
  type PeriodicWork,
  RetryLater,
  SchedulesWork,
  type WorkSource,
} from '../platform/schedule/work.js';
import { DeskBusy, SupportDesk } from './support-desk.js';
import { type StoredRequest, SupportRequestsRepository } from './support-requests.repository.js';

/** Long enough for disputes about what was agreed. */
const KEPT_DAYS = 365;
/** A delivery that began before a deletion has ended by then: it takes at most `timeoutMs`. */
const DELETION_DELAY_MINUTES = 10;

/** Delivers requests to the support desk and deletes them there, after a year or with the account. */
@SchedulesWork()
@Injectable()
export class SupportWork implements WorkSource {
  readonly scheduledWork: readonly (DueWork | PeriodicWork)[] = [
    {
      kind: 'support.deliver',
      everyMs: inMilliseconds.seconds(1),
      timeoutMs: inMilliseconds.minutes(1),
      concurrency: 2,
      maxAttempts: OUTAGE_MAX_ATTEMPTS,
      backoff: OUTAGE_BACKOFF,
      due: () => ({ table: 'support_requests', subject: 'id', where: 'sent_at IS NULL', orderBy: 'created_at' }),
      run: (id, { signal }) => this.deliver(id, signal),
    },
    {
      kind: 'support.delete',
      everyMs: inMilliseconds.minutes(1),
      timeoutMs: inMilliseconds.minutes(2),
      // About a year: an erasure is complete only when the desk confirms it.
      maxAttempts: 400,
      backoff: { firstMs: inMilliseconds.minutes(1), maxMs: inMilliseconds.days(1) },
      due: () => ({
        table: 'support_deletions',
        subject: 'request_id',
        where: `created_at < now() - interval '${DELETION_DELAY_MINUTES} minutes'`,
        orderBy: 'created_at',
      }),
      run: (id, attempt) => this.delete(id, attempt),
    },
    {
      kind: 'retention.support-requests',
      everyMs: inMilliseconds.hours(1),
      timeoutMs: inMilliseconds.minutes(10),
      backoff: { firstMs: inMilliseconds.minutes(1), maxMs: inMilliseconds.hours(1) },
      run: () => this.requests.deleteOlderThan(KEPT_DAYS),
    },
  ];

  constructor(
    private readonly requests: SupportRequestsRepository,
    private readonly desk: SupportDesk,
  ) {}

  private async deliver(id: string, signal: AbortSignal): Promise<RetryLater | undefined> {
    const request = await this.requests.findUnsent(id);
    if (!request) return undefined;
    return waitWhileBusy(async () => {
      const deskId = await this.desk.deliver({ ...request, requestId: id, account: accountOf(request) }, signal);
      // Matches no row when the request was deleted meanwhile: `support.delete` then finds the ticket.
      await this.requests.markSent(id, deskId);
    });
  }

  private delete(id: string, { signal }: Attempt): Promise<RetryLater | undefined> {
    return waitWhileBusy(async () => {
      await this.desk.delete(id, signal);
      await this.requests.finishDeletion(id);
    });
  }
}

const accountOf = ({ userId, role }: StoredRequest) => (userId && role ? { userId, role } : null);

async function waitWhileBusy(work: () => Promise<void>): Promise<RetryLater | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof DeskBusy) return new RetryLater(error.retryAfterMs);
    throw error;
  }
}
