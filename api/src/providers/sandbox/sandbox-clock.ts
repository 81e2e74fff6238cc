import { inMilliseconds } from '@clearframe/contract';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { BillingClock } from '../billing-clock.js';
import { PaymentsConfig } from '../payments.config.js';

/** Billing time minus real time, in responses and webhooks of the sandbox. */
export const CLOCK_HEADER = 'x-sandbox-clock-offset';

/**
 * Real time plus an offset that only grows. Other processes may have moved the sandbox's clock, so it is read every
 * second, too.
 */
@Injectable()
export class SandboxClock extends BillingClock implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(SandboxClock.name);
  private offsetMs = 0;
  private isReading = false;
  private isFailing = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly config: PaymentsConfig) {
    super();
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
    this.timer = setInterval(() => void this.refresh(), inMilliseconds.seconds(1));
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  override now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  private async refresh(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    try {
      const signal = AbortSignal.timeout(inMilliseconds.seconds(5));
      const { headers } = await fetch(`${this.config.sandboxUrl}/api/sandbox/clock`, { signal });
      this.follow(headers.get(CLOCK_HEADER));
      this.isFailing = false;
    } catch (error) {
      // Once for each outage.
      if (!this.isFailing) this.logger.warn(`the sandbox does not respond: ${(error as Error).message}`);
      this.isFailing = true;
    } finally {
      this.isReading = false;
    }
  }

  /** The clock doesn't go back. @param offsetMs value of the header */
  follow(offsetMs: string | string[] | null | undefined): void {
    if (typeof offsetMs === 'string') this.offsetMs = Math.max(this.offsetMs, Number(offsetMs) || 0);
  }
}
