import type { AddressInfo } from 'node:net';
import { inMilliseconds, inSeconds } from '@clearframe/contract';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { PaymentsConfig } from '../../port/payments.config.js';
import { SandboxLedger } from '../core/ledger.js';
import { SandboxDatabase } from '../core/sandbox-database.js';
import { waitBriefly } from '../core/shutdown.js';
import { LedgerEvent } from '../core/system.entities.js';
import { SandboxEvents, type SignedEvent } from './events.js';

const WEBHOOK_PATH = '/api/webhooks/sandbox';
const ANSWER_WITHIN_MS = inMilliseconds.seconds(10);

/** Delays, in seconds, between the attempts to deliver an event. */
const RETRY_SECONDS = [1, 5, 30, inSeconds.minutes(2), inSeconds.minutes(10), inSeconds.hours(1), inSeconds.hours(6)];

/** Stands for a missing response. */
const NO_ANSWER = 0;

/** Posts events to the product's webhook in order, at least once, with retries. */
@Injectable()
export class WebhookSender implements OnModuleDestroy {
  private readonly logger = new Logger(WebhookSender.name);
  private readonly leaving = new AbortController();
  private posting: Promise<void> = Promise.resolve();
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

  /** Withholds events, as in an outage of the provider, or resumes them. */
  withhold(isWithheld: boolean): void {
    this.isWithheld = isWithheld;
    if (!isWithheld) void this.deliver();
  }

  /** Posts all waiting events once; resolves when that is done. */
  deliver(): Promise<void> {
    this.posting = this.posting
      .then(() => this.deliverAll())
      // They are in the ledger; the scheduler retries.
      .catch((error: Error) => this.logger.debug(`events wait: ${error.message}`));
    return this.posting;
  }

  /** Posts an event. @returns the status of the response, 0 for none */
  async post({ body, headers }: SignedEvent): Promise<number> {
    const signal = AbortSignal.any([this.leaving.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
    const answer = await fetch(this.address(), { method: 'POST', headers, body, signal }).catch(() => null);
    await answer?.body?.cancel();
    return answer?.status ?? NO_ANSWER;
  }

  private async deliverAll(): Promise<void> {
    while (!this.isWithheld && !this.leaving.signal.aborted && this.isReachable()) {
      const event = await this.takeNext();
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

  /** Claims the oldest due event and postpones its next attempt, so that no other process claims it. */
  private async takeNext(): Promise<LedgerEvent | null> {
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
        { attempts: event.attempts + 1, nextAttemptAt: new Date(Date.now() + 2 * ANSWER_WITHIN_MS) },
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
    this.leaving.abort();
    await waitBriefly(this.posting);
  }
}
