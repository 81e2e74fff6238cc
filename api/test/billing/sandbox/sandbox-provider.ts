import { randomUUID } from 'node:crypto';
import {
  BillingClock,
  CardProvider,
  ProviderPrices,
  type SubscriptionSnapshot,
  WalletProvider,
} from '../../../src/billing/providers/port/payment-provider.js';
import type { TestApi } from '../../support/application.js';
import { controlsOf } from '../customer.js';

export const CARD = {
  succeeds: '4242 4242 4242 4242',
  alwaysTheSame: '5555 5555 5555 4444',
  redirected: '4000 0000 0000 3220',
  declined: '4000 0000 0000 0002',
  insufficientFunds: '4000 0000 0000 9995',
  chargeFails: '4000 0000 0000 0341',
} as const;

export const DAY_SECONDS = 86_400;

export const newKey = (): string => randomUUID();

interface SubscriptionRequest {
  readonly customerId?: string;
  readonly paymentMethodId?: string | null;
  readonly price?: string;
  readonly intro?: string | null;
  readonly trialDays?: number | null;
  readonly reference?: string;
  readonly failIfUnpaid?: boolean;
  readonly key?: string;
}

/** The sandbox behind its port, as the product and payers use it. */
export class SandboxClient {
  readonly cards: CardProvider;
  readonly wallet: WalletProvider;
  readonly prices: ProviderPrices;
  readonly clock: BillingClock;
  readonly controls: ReturnType<typeof controlsOf>;

  constructor(private readonly api: TestApi) {
    this.cards = api.app.get(CardProvider);
    this.wallet = api.app.get(WalletProvider);
    this.prices = api.app.get(ProviderPrices);
    this.clock = api.app.get(BillingClock);
    this.controls = controlsOf(api);
  }

  customer(): Promise<string> {
    return this.cards.ensureCustomer({ id: randomUUID(), email: null });
  }

  /** Presents a card. */
  confirm(clientSecret: string, cardNumber: string, body: object = {}) {
    const [id] = clientSecret.split('_secret_');
    const kind = id?.startsWith('sbx_seti_') ? 'setup_intents' : 'payment_intents';
    return this.api.http.post(`/api/sandbox/payments/${kind}/${id}/confirm`).send({ card_number: cardNumber, ...body });
  }

  /** A customer with a saved card. */
  async cardHolder(cardNumber: string = CARD.succeeds): Promise<{ customerId: string; paymentMethodId: string }> {
    const customerId = await this.customer();
    const { clientSecret } = await this.cards.createSetupIntent(customerId, newKey());
    const { body } = await this.confirm(clientSecret, cardNumber).expect(200);
    return { customerId, paymentMethodId: body.payment_method_id };
  }

  async subscribe({
    price = 'personal_weekly_usd',
    intro = null,
    ...request
  }: SubscriptionRequest = {}): Promise<SubscriptionSnapshot> {
    const holder = request.customerId === undefined ? await this.cardHolder() : {};
    return this.cards.createSubscription({
      paymentMethodId: null,
      trialDays: null,
      reference: randomUUID(),
      failIfUnpaid: false,
      key: newKey(),
      customerId: '',
      ...holder,
      ...request,
      priceId: this.prices.idOf(price),
      introPriceId: intro === null ? null : this.prices.idOf(intro),
    });
  }

  async read(id: string): Promise<SubscriptionSnapshot> {
    const snapshot = (await this.cards.readSubscription(id)) ?? (await this.wallet.readSubscription(id));
    if (!snapshot) throw new Error(`the sandbox knows no subscription ${id}`);
    return snapshot;
  }

  async advance(seconds: number): Promise<Date> {
    const { body } = await this.api.http.post('/api/sandbox/clock').send({ advance_seconds: seconds }).expect(200);
    return new Date(body.now);
  }

  /** Executes everything due by then. */
  async advanceTo(moment: Date): Promise<void> {
    const now = await this.clock.now();
    await this.advance(Math.max(0, Math.ceil((moment.getTime() - now.getTime()) / 1000)));
  }

  /** Successful charges in cents, oldest first. */
  async chargesOf(subscriptionId: string): Promise<number[]> {
    const rows = await this.api.sql<{ amount_cents: number }>(
      'SELECT amount_cents FROM ledger.charges WHERE subject_id = $1 AND failure_code IS NULL ORDER BY created_at',
      [subscriptionId],
    );
    return rows.map(({ amount_cents: cents }) => cents);
  }

  /** Types of a subject's events, oldest first. */
  async events(subjectId: string): Promise<string[]> {
    const { body } = await this.api.http.get('/api/sandbox/webhooks').query({ subject_id: subjectId, limit: 100 });
    return body.data.map(({ type }: { type: string }) => type).reverse();
  }
}

export const daysAfter = (moment: Date, days: number): Date => new Date(moment.getTime() + days * DAY_SECONDS * 1000);
