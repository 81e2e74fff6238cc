import { inMilliseconds, inSeconds } from '@clearframe/contract';
import type { Ledger, NewEvent } from './ledger.js';

const RESPONSE_TIMEOUT_MS = inMilliseconds.seconds(10);

/** Seconds between attempts to deliver an event. */
const RETRY_SECONDS = [1, 5, 30, inSeconds.minutes(2), inSeconds.minutes(10), inSeconds.hours(1), inSeconds.hours(6)];

const NO_RESPONSE = 0;

/** Billing time minus real time, so that the product's local clock follows. */
export const CLOCK_HEADER = 'x-sandbox-clock-offset';

export interface WebhookEndpoint {
  readonly url: string;
  /** Headers of a body signed at a moment in real time. */
  sign(body: string, at: Date): Readonly<Record<string, string>>;
}

export type WebhookEndpoints = Readonly<Record<NewEvent['provider'], WebhookEndpoint | null>>;

export interface Delivery {
  readonly provider: NewEvent['provider'];
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Posts events to the product's webhooks in order, at least once. */
export class WebhookSender {
  private readonly shutdown = new AbortController();
  private delivering: Promise<void> = Promise.resolve();
  private isWithheld = false;

  constructor(
    private readonly ledger: Ledger,
    private readonly endpoints: WebhookEndpoints,
    private readonly report: (message: string) => void,
  ) {
    ledger.onEvents(() => void this.deliver());
  }

  /** Simulates an outage of the provider. */
  withhold(isWithheld: boolean): void {
    this.isWithheld = isWithheld;
    if (!isWithheld) void this.deliver();
  }

  deliver(): Promise<void> {
    this.delivering = this.delivering
      .then(() => this.deliverAll())
      // The scheduler retries events in the ledger.
      .catch((error: Error) => this.report(`events are delayed: ${error.message}`));
    return this.delivering;
  }

  /** @param signedAt real time @returns the status of the response, 0 for none */
  async post(provider: NewEvent['provider'], payload: string, signedAt = new Date(), sent = payload): Promise<number> {
    const endpoint = this.endpoints[provider];
    if (!endpoint) return NO_RESPONSE;
    const response = await fetch(endpoint.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        [CLOCK_HEADER]: String(await this.ledger.clockOffsetMs()),
        ...endpoint.sign(payload, signedAt),
      },
      body: sent,
      signal: AbortSignal.any([this.shutdown.signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
    }).catch(() => null);
    await response?.body?.cancel();
    return response?.status ?? NO_RESPONSE;
  }

  async stop(): Promise<void> {
    this.shutdown.abort();
    await this.delivering;
  }

  private async deliverAll(): Promise<void> {
    while (!this.isWithheld && !this.shutdown.signal.aborted) {
      const event = await this.claimNext();
      if (!event) return;
      const status = await this.post(event.provider, event.payload);
      const isAccepted = status >= 200 && status <= 299;
      const wait = isAccepted ? undefined : RETRY_SECONDS[event.attempts];
      const nextAttemptAt = wait === undefined ? null : new Date(Date.now() + wait * 1000);
      await this.ledger.transact((tx) =>
        tx.query('UPDATE sandbox.events SET delivered_at = $2, next_attempt_at = $3 WHERE id = $1', [
          event.id,
          isAccepted ? new Date() : null,
          nextAttemptAt,
        ]),
      );
    }
  }

  /** Claims the oldest due event by postponing its next attempt. */
  private async claimNext() {
    const [event] = await this.ledger.transact((tx) =>
      tx.query<NewEvent & { attempts: number }>(
        `UPDATE sandbox.events SET attempts = attempts + 1, next_attempt_at = clock_timestamp() + interval '20 seconds'
         WHERE id = (SELECT id FROM sandbox.events WHERE next_attempt_at <= clock_timestamp() ORDER BY seq LIMIT 1)
         RETURNING id, provider, payload, attempts - 1 AS attempts`,
        [],
      ),
    );
    return event;
  }
}
