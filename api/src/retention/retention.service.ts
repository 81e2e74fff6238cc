import { inMilliseconds } from '@clearframe/contract';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CheckoutsService } from '../billing/checkouts/checkouts.service.js';
import { SubscriptionCodesService } from '../billing/subscription-codes.service.js';
import { SessionService } from '../identity/session.service.js';
import { MailRetention } from '../mail/mail-retention.js';
import { IdempotencyService } from '../platform/http/idempotency.service.js';
import { DiskStore } from '../storage/disk/disk-store.js';
import { TasksService } from '../tasks/tasks.service.js';
import { ErasedIdentities } from '../users/erased-identities.js';
import { GuestsService } from '../users/guests.service.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';

const EVERY_MS = inMilliseconds.minutes(10);

/** Deletes what has been kept long enough: media, left-over uploads, remembered answers, sessions, empty guests. */
@Injectable()
export class RetentionService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(RetentionService.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly tasks: TasksService,
    private readonly store: DiskStore,
    private readonly idempotency: IdempotencyService,
    private readonly sessions: SessionService,
    private readonly guests: GuestsService,
    private readonly erased: ErasedIdentities,
    private readonly webhooks: WebhooksService,
    private readonly codes: SubscriptionCodesService,
    private readonly checkouts: CheckoutsService,
    private readonly mail: MailRetention,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.run().catch((error: Error) => this.logger.warn(`retention: ${error.message}`));
    }, EVERY_MS);
  }

  /** One pass. */
  async run(): Promise<void> {
    const purged = await this.tasks.purgeExpired();
    if (purged > 0) this.logger.log(`deleted ${purged} expired tasks`);
    await this.store.removeAbandoned();
    await this.idempotency.purge();
    await this.sessions.purge();
    const gone = await this.guests.purge();
    if (gone > 0) this.logger.log(`deleted ${gone} guests without anything`);
    await this.erased.settle();
    await this.webhooks.purge();
    await this.codes.purge();
    await this.checkouts.purgeReceiptEmails();
    await this.mail.purge();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }
}
