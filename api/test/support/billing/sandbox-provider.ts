import { expect } from 'vitest';
import { BillingClock } from '../../../src/providers/billing-clock.js';
import { CardProvider, type SubscriptionSnapshot, WalletProvider } from '../../../src/providers/payment-provider.js';
import { ProviderPrices } from '../../../src/providers/provider-prices.js';
import type { TestApi } from '../application.js';
import { CardPayer } from './card-payer.js';
import { controlsOf } from './customer.js';

export { CARD, DAY_SECONDS, daysAfter, newKey } from './card-payer.js';

export class SandboxClient extends CardPayer {
  readonly cards: CardProvider;
  readonly wallet: WalletProvider;
  readonly prices: ProviderPrices;
  readonly clock: BillingClock;
  readonly controls: ReturnType<typeof controlsOf>;

  constructor(private readonly api: TestApi) {
    super();
    this.cards = api.app.get(CardProvider);
    this.wallet = api.app.get(WalletProvider);
    this.prices = api.app.get(ProviderPrices);
    this.clock = api.app.get(BillingClock);
    this.controls = controlsOf(api);
  }

  confirm(clientSecret: string, cardNumber: string, body: object = {}) {
    const [id] = clientSecret.split('_secret_');
    const kind = id?.startsWith('sbx_seti_') ? 'setup_intents' : 'payment_intents';
    return this.api.http.post(`/api/sandbox/payments/${kind}/${id}/confirm`).send({ card_number: cardNumber, ...body });
  }

  protected override async save(clientSecret: string, cardNumber: string): Promise<string> {
    const { body } = await this.confirm(clientSecret, cardNumber).expect(200);
    return body.payment_method_id;
  }

  async read(id: string): Promise<SubscriptionSnapshot> {
    const snapshot = (await this.cards.readSubscription(id)) ?? (await this.wallet.readSubscription(id));
    if (!snapshot) throw new Error(`the sandbox knows no subscription ${id}`);
    return snapshot;
  }

  async advance(seconds: number): Promise<Date> {
    const { body } = await this.api.http
      .post('/api/sandbox/clock')
      .send({ advance_seconds: seconds, wait: true })
      .expect(200);
    return new Date(body.now);
  }

  async advanceTo(moment: Date): Promise<void> {
    const now = this.clock.now();
    await this.advance(Math.max(0, Math.ceil((moment.getTime() - now.getTime()) / 1000)));
  }

  async chargesOf(subscriptionId: string): Promise<number[]> {
    const rows = await this.api.sql<{ amount_cents: number }>(
      'SELECT amount_cents FROM ledger.charges WHERE subject_id = $1 AND failure_code IS NULL ORDER BY created_at',
      [subscriptionId],
    );
    return rows.map(({ amount_cents: cents }) => cents);
  }

  async events(subjectId: string): Promise<string[]> {
    const { body } = await this.api.http.get('/api/sandbox/webhooks').query({ subject_id: subjectId, limit: 100 });
    return body.data.map(({ type }: { type: string }) => type).reverse();
  }
}

export const PAGES = '/api/sandbox/pages';
export const RETURN = '/checkout/return?v=ft';

export class PageClient {
  constructor(private readonly api: TestApi) {}

  open(path: string, query: object = {}) {
    return this.api.http.get(`${PAGES}/${path}`).query(query);
  }

  send(path: string, fields: object) {
    return this.api.http.post(`${PAGES}/${path}`).type('form').send(fields);
  }

  resultOf(location: string | undefined): { path: string; result: Record<string, string> } {
    const url = new URL(location ?? '');
    expect(url.origin).toBe(this.api.url);
    return { path: url.pathname, result: Object.fromEntries(url.searchParams) };
  }
}
