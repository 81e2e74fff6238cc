import { randomUUID } from 'node:crypto';
import { BASE_PATH } from '@clearframe/contract';
import type { Faults } from '../../../../sandbox/src/core/faults.js';
import { findPrice } from '../../../../sandbox/src/stripe/prices.js';
import type { TestApi } from '../application.js';
import { type Persona, Visitor } from '../visitor.js';

export const CARDS = {
  good: '4242 4242 4242 4242',
  sameFingerprint: '5555 5555 5555 4444',
  declined: '4000 0000 0000 0002',
  firstChargeFails: '4000 0000 0000 0341',
  redirect: '4000 0000 0000 3220',
  noFunds: '4000 0000 0000 9995',
} as const;

export const price = (name: string): string => `sbx_price_${name}`;

const idOf = (clientSecret: string): string => clientSecret.split('_secret_')[0] ?? '';

export class Customer {
  constructor(
    readonly api: TestApi,
    readonly visitor: Visitor,
  ) {}

  static async guest(api: TestApi): Promise<Customer> {
    return new Customer(api, await api.guest());
  }

  static async member(api: TestApi, persona?: Persona): Promise<Customer> {
    return new Customer(api, await api.member(persona));
  }

  /** The same person after logging in, with everything of the guest. */
  async login(email: string): Promise<Customer> {
    return new Customer(this.api, await Visitor.login(this.api.http, { email }, this.visitor));
  }

  me() {
    return this.visitor.me();
  }

  async userId(): Promise<string> {
    return (await this.me()).web_user_id;
  }

  async credits(): Promise<number> {
    return (await this.me()).available_credits;
  }

  /** The reading under the user's lock (`lockUsers`) prevents a concurrent event from restoring the old price. */
  async moveToPrice(name: string): Promise<void> {
    const userId = await this.userId();
    await this.api.sql(
      `UPDATE sandbox.objects SET body = jsonb_set(body, '{items,data,0,price}', $1)
       WHERE type = 'subscription' AND id IN (SELECT provider_id FROM subscriptions WHERE user_id = $2)`,
      [JSON.stringify(findPrice(price(name))), userId],
    );
    await this.api.sql(
      `WITH held AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtextextended('user:' || $1::text, 0)))
       UPDATE subscriptions SET price_id = $2, read_no = nextval('billing_reads') FROM held WHERE user_id = $1::uuid`,
      [userId, name],
    );
  }

  async intent(name: string, unlockedExports: number, taskId?: string) {
    const { body } = await this.requestIntent(name, unlockedExports, taskId).expect(201);
    return body as { client_secret: string; payment_id: string };
  }

  requestIntent(name: string, unlockedExports: number, taskId?: string) {
    return this.visitor.post('/stripe/payment_intents', {
      price_id: price(name),
      unlocked_exports: unlockedExports,
      client_task_id: taskId,
    });
  }

  async pay(clientSecret: string, card: string = CARDS.good) {
    return this.api.providers.confirm('payment_intents', idOf(clientSecret), card);
  }

  confirm(paymentId: string) {
    return this.visitor.put(`/stripe/payment_intents/${paymentId}`);
  }

  async buy(name = 'three_exports_usd', exports = 3, taskId?: string): Promise<string> {
    const { client_secret, payment_id } = await this.intent(name, exports, taskId);
    await this.pay(client_secret);
    await this.confirm(payment_id).expect(200);
    return payment_id;
  }

  async method(card: string = CARDS.good): Promise<string> {
    const { body } = await this.visitor.post('/stripe/intents', { stripe_account: 'DK' }).expect(201);
    const confirmed = await this.api.providers.confirm('setup_intents', idOf(body.client_secret), card);
    return confirmed.payment_method_id ?? '';
  }

  async requestSubscription(name: string, options: { card?: string; method?: string } & Record<string, unknown> = {}) {
    const { card, method, ...rest } = options;
    return this.visitor.post('/stripe/subscriptions', {
      payment_method_id: method ?? (await this.method(card)),
      price_id: price(name),
      trial: false,
      unlocked_exports: 0,
      intro_price_id: null,
      ...rest,
    });
  }

  async subscribe(name = 'personal_weekly_usd', options: Record<string, unknown> = {}): Promise<string> {
    const response = await this.requestSubscription(name, options);
    if (response.status !== 201) throw new Error(`subscribing responded with ${response.status}: ${response.text}`);
    return response.body.subscription_id;
  }

  async walletSubscription(name: string, { trial = false, userId = '' } = {}): Promise<string> {
    const customId = `${userId || (await this.userId())}-${randomUUID().slice(0, 8)}`;
    return this.api.providers.approveSubscription(`sbx_plan_${name}${trial ? '_ft' : ''}`, customId);
  }

  async walletCharge(amountCents: number, currency: string, userId?: string): Promise<string> {
    const customId = `${userId ?? (await this.userId())}-${randomUUID().slice(0, 8)}`;
    return this.api.providers.approveOrder({ amountCents, currency, customId });
  }

  /** Charges of subscriptions by card, in cents minus refunds. */
  async charges(): Promise<number[]> {
    const rows = await this.api.sql<{ cents: number }>(
      `SELECT c.amount_cents - c.refunded_cents AS cents FROM ledger.charges c
       JOIN ledger.subscriptions s ON s.id = c.subject_id JOIN billing_customers b ON b.customer_id = s.customer_id
       WHERE b.user_id = $1 AND c.failure_code IS NULL ORDER BY c.created_at`,
      [await this.userId()],
    );
    return rows.map(({ cents }) => cents);
  }

  async runningPrices(): Promise<string[]> {
    const rows = await this.api.sql<{ price_id: string }>(
      `SELECT s.price_id FROM ledger.subscriptions s JOIN billing_customers b ON b.customer_id = s.customer_id
       WHERE b.user_id = $1 AND s.ended_at IS NULL`,
      [await this.userId()],
    );
    return rows.map(({ price_id }) => price_id);
  }

  download(taskId: string) {
    return this.visitor.put(`/tasks/${taskId}/export`, {});
  }
}

export const advance = (api: TestApi, { days = 0, hours = 0, seconds = 0 }): Promise<void> =>
  api.providers.advance(days * 86_400 + hours * 3600 + seconds);

const controlsOfFaults = (faults: Faults, requests: number) => ({
  disconnect: (): void => faults.add({ operation: '*', kind: 'drop', times: null }),
  reconnect: (): void => faults.clear(),
  loseNextResponse: (operation = 'change'): void => faults.add({ operation, kind: 'drop_after', times: requests }),
  holdNextResponse: (operation = '*') => faults.holdNextResponse(operation),
});

export const walletFaultsOf = ({ providers }: TestApi) => controlsOfFaults(providers.walletFaults, 1);

/** Faults of cards. Stripe's SDK repeats a request once when the connection is closed. */
export const faultsOf = ({ providers }: TestApi) => controlsOfFaults(providers.cardFaults, 2);

export const controlsOf = ({ providers }: TestApi) => ({
  dispute: (id: string) => providers.dispute(id),
  refundPayment: (id: string, cents: number) => providers.refundPayment(id, cents),
  failFutureCharges: (id: string) => providers.failFutureCharges(id),
  payOpenInvoice: (id: string, card: string) => providers.payOpenInvoice(id, card),
  deliverEvents: () => providers.deliverEvents(),
  webhooks: (mode: 'sent' | 'withheld') => providers.withholdEvents(mode === 'withheld'),
});

export const resultOf = ({ status, body }: { readonly status: number; readonly body: { error_code?: string } }) => [
  status,
  body.error_code,
];

export const routePath = (path: string): string => `${BASE_PATH}${path}`;

export async function payWithoutWebhook(payer: Customer): Promise<string> {
  await controlsOf(payer.api).webhooks('withheld');
  const { client_secret, payment_id } = await payer.intent('three_exports_usd', 3);
  await payer.pay(client_secret);
  return payment_id;
}
