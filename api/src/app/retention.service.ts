import { inMilliseconds } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { AccountRepository } from '../billing-accounts/account.repository.js';
import { CheckoutRepository } from '../payments/checkout.repository.js';
import { IdempotencyService } from '../platform/http/idempotency.service.js';
import { dueDeletions } from '../platform/schedule/pending-deletions.js';
import { type DueWork, type PeriodicWork, SchedulesWork, type WorkSource } from '../platform/schedule/work.js';
import { PluginKeysRepository } from '../plugin-keys/plugin-keys.repository.js';
import { SessionService } from '../sessions/session.service.js';
import { SubscriptionCodesService } from '../subscriptions/subscription-codes.service.js';
import { TasksService } from '../tasks/tasks.service.js';
import { ErasedIdentities } from '../users/erased-identities.repository.js';
import { GuestsService } from '../users/guests.service.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';

/** The photo link in the mail is valid as long (decisions, section 8). */
const RECEIPT_EMAIL_RETENTION = '30 days';

/** Of the last use of a key. */
const KEY_ADDRESS_DAYS = 90;

const EVERY_MS = inMilliseconds.minutes(10);
/** A million pictures a day need twelve deletions a second. */
const TASKS_AT_ONCE = 4;

@SchedulesWork()
@Injectable()
export class RetentionService implements WorkSource {
  readonly scheduledWork: readonly (DueWork | PeriodicWork)[];

  constructor(
    tasks: TasksService,
    erased: ErasedIdentities,
    guests: GuestsService,
    store: ObjectStore,
    idempotency: IdempotencyService,
    sessions: SessionService,
    webhooks: WebhooksService,
    codes: SubscriptionCodesService,
    checkouts: CheckoutRepository,
    accounts: AccountRepository,
    keys: PluginKeysRepository,
  ) {
    const expired: DueWork[] = [
      {
        kind: 'retention.tasks',
        everyMs: EVERY_MS,
        timeoutMs: inMilliseconds.minutes(1),
        maxAttempts: 20,
        concurrency: TASKS_AT_ONCE,
        backoff: { firstMs: inMilliseconds.minutes(1), maxMs: inMilliseconds.hours(6) },
        due: () => ({ table: 'tasks', subject: 'id', where: 'expires_at < now()', orderBy: 'expires_at' }),
        run: (id) => tasks.purgeExpired(id),
      },
      {
        kind: 'retention.media',
        everyMs: inMilliseconds.minutes(1),
        timeoutMs: inMilliseconds.minutes(1),
        // About a hundred days: a deletion is complete only when the files are gone.
        maxAttempts: 400,
        concurrency: TASKS_AT_ONCE,
        backoff: { firstMs: inMilliseconds.minutes(1), maxMs: inMilliseconds.hours(6) },
        due: () => dueDeletions('media'),
        run: (id) => tasks.finishDeletion(id),
      },
      {
        kind: 'retention.identities',
        everyMs: EVERY_MS,
        timeoutMs: inMilliseconds.minutes(1),
        // About a year: erasure is complete only when the identity provider confirms it.
        maxAttempts: 400,
        backoff: { firstMs: inMilliseconds.minutes(1), maxMs: inMilliseconds.days(1) },
        due: () => ({ table: 'erased_identities', subject: 'uid', where: 'true', orderBy: 'erased_at' }),
        run: (uid) => erased.retry(uid),
      },
    ];
    this.scheduledWork = [
      ...expired,
      periodic('retention.guests', () => guests.purge()),
      periodic('retention.uploads', () => store.removeAbandoned()),
      periodic('retention.idempotency', () => idempotency.purge()),
      periodic('retention.sessions', () => sessions.purge()),
      periodic('retention.webhooks', () => webhooks.purge()),
      periodic('retention.codes', () => codes.purge()),
      periodic('retention.key-addresses', () => keys.forgetAddresses(KEY_ADDRESS_DAYS)),
      // Addresses that guests entered, and those that the wallet tells.
      periodic('retention.receipt-addresses', async () => {
        await checkouts.purgeReceiptEmails(RECEIPT_EMAIL_RETENTION);
        await accounts.purgePayerEmails(RECEIPT_EMAIL_RETENTION);
      }),
    ];
  }
}

const periodic = (kind: string, run: PeriodicWork['run']): PeriodicWork => ({
  kind,
  everyMs: EVERY_MS,
  timeoutMs: EVERY_MS,
  backoff: { firstMs: inMilliseconds.minutes(1), maxMs: inMilliseconds.hours(1) },
  run,
});
