import { inMilliseconds } from '@clearframe/contract';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BillingSweep } from './billing/billing-sweep.js';
import { WebhooksService } from './webhooks/webhooks.service.js';

const EVERY_MS = inMilliseconds.seconds(3);

/** Has billing's unfinished business looked at, at short intervals. */
@Injectable()
export class BillingJobs implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(BillingJobs.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly webhooks: WebhooksService,
    private readonly sweep: BillingSweep,
  ) {}

  onApplicationBootstrap(): void {
    const next = (): void => {
      this.timer = setTimeout(() => {
        this.running = this.run()
          .catch((error: Error) => this.logger.warn(`billing: ${error.message}`))
          .finally(next);
      }, EVERY_MS);
    };
    next();
  }

  /** One pass. */
  async run(): Promise<void> {
    await this.webhooks.processWaiting();
    await this.sweep.run();
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.running;
    clearTimeout(this.timer);
  }
}
