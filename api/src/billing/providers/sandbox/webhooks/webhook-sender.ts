import type { AddressInfo } from 'node:net';
import { inMilliseconds, inSeconds } from '@clearframe/contract';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { PaymentsConfig } from '../../port/payments.config.js';
import { SandboxLedger } from '../core/ledger.js';
import { SandboxDatabase } from '../core/sandbox-database.js';
import { waitWithTimeout } from '../core/shutdown.js';
import { LedgerEvent } from '../core/system.entities.js';
import { SandboxEvents, type SignedEvent } from './events.js';

const WEBHOOK_PATH = '/api/webhooks/sandbox';
const RESPONSE_TIMEOUT_MS = inMilliseconds.seconds(10);

/** Seconds between attempts to deliver an event. */
const RETRY_SECONDS = [1, 5, 30, inSeconds.minutes(2), inSeconds.minutes(10), inSeconds.hours(1), inSeconds.hours(6)];

const NO_RESPONSE = 0;

/** Posts events to the product's webhook in order, at least once. */
@Injectable()
export class WebhookSender implements OnModuleDestroy {
  private readonly logger = new Logger(WebhookSender.name);
  private readonly shutdown = new AbortController();
  private delivering: Promise<void> = Promise.resolve();
  private isWithheld = false;

  constructor(
    private readonly ledger: SandboxLedger,
    private readonly database: SandboxDatabase,
    private readonly events: SandboxEvents,
    private readonly config: PaymentsConfig,
    private readonly adapter: HttpAdapterHost,
  ) {
    this.ledger.onEvents(() => void this.deliver());
  }

  /** As in an outage of the provider. */
  withhold(isWithheld: boolean): void {
    this.isWithheld = isWithheld;
    if (!isWithheld) void this.deliver();
  }

  /** Resolves when all waiting events were posted once. */
  deliver(): Promise<void> {
    this.delivering = this.delivering
      .then(() => this.deliverAll())
      // The scheduler retries events in the ledger.
      .catch((error: Error) => this.logger.debug(`events wait: ${error.message}`));
    return this.delivering;
  }

  /** @returns the status of the response, 0 for none */
  async post({ body, headers }: SignedEvent): Promise<number> {
    const signal = AbortSignal.any([this.shutdown.signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]);
    const response = await fetch(this.address(), { method: 'POST', headers, body, signal }).catch(() => null);
    await response?.body?.cancel();
    return response?.status ?? NO_RESPONSE;
  }

  private async deliverAll(): Promise<void> {
    while (!this.isWithheld && !this.shutdown.signal.aborted && this.isReachable()) {
      const event = await this.claimNext();
      if (!event) return;
      const status = await this.post(await this.events.sign(event));
      const isAccepted = status >= 200 && status <= 299;
      if (!isAccepted) this.logger.debug({ eventId: event.id, type: event.type, status }, 'event not accepted');
      const wait = isAccepted ? undefined : RETRY_SECONDS[event.attempts];
      const manager = (await this.database.open()).manager;
      await manager.update(
        LedgerEvent,
        { id: event.id },
        {
          deliveredAt: isAccepted ? new Date() : null,
          nextAttemptAt: wait === undefined ? null : new Date(Date.now() + wait * 1000),
        },
      );
    }
  }

  /** Claims the oldest due event by postponing its next attempt. */
  private async claimNext(): Promise<LedgerEvent | null> {
    const database = await this.database.open();
    return database.transaction(async (manager) => {
      const event = await manager
        .createQueryBuilder(LedgerEvent, 'event')
        .setLock('pessimistic_write')
        .setOnLocked('skip_locked')
        .where('event.nextAttemptAt <= :now', { now: new Date() })
        .orderBy('event.seq')
        .limit(1)
        .getOne();
      if (!event) return null;
      await manager.update(
        LedgerEvent,
        { id: event.id },
        { attempts: event.attempts + 1, nextAttemptAt: new Date(Date.now() + 2 * RESPONSE_TIMEOUT_MS) },
      );
      return event;
    });
  }

  private isReachable(): boolean {
    return this.config.sandboxWebhookUrl !== null || this.ownPort() !== null;
  }

  private address(): string {
    return this.config.sandboxWebhookUrl ?? `http://127.0.0.1:${this.ownPort()}${WEBHOOK_PATH}`;
  }

  /** Null until the server listens. */
  private ownPort(): number | null {
    const address: AddressInfo | string | null = this.adapter.httpAdapter.getHttpServer().address();
    return typeof address === 'object' && address ? address.port : null;
  }

  async onModuleDestroy(): Promise<void> {
    this.shutdown.abort();
    await waitWithTimeout(this.delivering);
  }
}
