import { type Sandbox, startSandbox } from '../../../../sandbox/src/server.js';
import type { SubscriptionSnapshot } from '../../../src/providers/payment-provider.js';
import { StripeConfig } from '../../../src/providers/stripe/stripe.config.js';
import { StripeCards } from '../../../src/providers/stripe/stripe-cards.js';
import { StripePrices } from '../../../src/providers/stripe/stripe-prices.js';
import { copyDatabase, type OwnDatabase } from '../stores/stores.js';
import { CardPayer } from './card-payer.js';

export { CARD, DAY_SECONDS, daysAfter, newKey } from './card-payer.js';

export const WEBHOOK_SECRET = 'whsec_sandbox_tests';
const PUBLIC_URL = 'http://127.0.0.1:3000';

interface List<Item> {
  readonly data: Item[];
}

interface ChargeJson {
  readonly amount: number;
  readonly paid: boolean;
  readonly created: number;
}

interface InvoicePayment {
  readonly payment: { readonly payment_intent: string };
}

export class StripeSandbox extends CardPayer<StripeCards> {
  readonly cards: StripeCards;
  readonly prices: StripePrices;

  private constructor(
    readonly server: Sandbox,
    private readonly database: OwnDatabase,
    config: StripeConfig,
  ) {
    super();
    this.prices = new StripePrices(config);
    this.cards = new StripeCards(config, this.prices);
  }

  static async start(webhookUrl: string | null = null): Promise<StripeSandbox> {
    const database = await copyDatabase();
    const stripe = { secretKey: 'sbx_sk_tests', webhookSecret: WEBHOOK_SECRET, webhookUrl };
    const paypal = { clientId: 'c', clientSecret: 's', merchantId: 'm', webhookId: 'w', webhookUrl: null };
    const config = { host: '127.0.0.1', port: 0, databaseUrl: database.url, publicUrl: PUBLIC_URL, stripe, paypal };
    const server = await startSandbox(config, () => undefined);
    return new StripeSandbox(server, database, stripeConfig(server.url, stripe.secretKey));
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.database.drop();
  }

  async confirm(clientSecret: string, cardNumber: string) {
    const [id = ''] = clientSecret.split('_secret_');
    return this.server.confirmations.confirm(
      id.startsWith('sbx_seti_') ? 'setup_intent' : 'payment_intent',
      id,
      cardNumber,
    );
  }

  protected override async save(clientSecret: string, cardNumber: string): Promise<string> {
    const confirmation = await this.confirm(clientSecret, cardNumber);
    if (confirmation.status !== 'succeeded') throw new Error(`the card was not saved: ${confirmation.status}`);
    return confirmation.paymentMethodId;
  }

  async read(id: string): Promise<SubscriptionSnapshot> {
    const snapshot = await this.cards.readSubscription(id);
    if (!snapshot) throw new Error(`the sandbox knows no subscription ${id}`);
    return snapshot;
  }

  async call(path: string, body?: object): Promise<Response> {
    return fetch(`${this.server.url}/api/sandbox${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  async stripe<Body = { readonly error: { code: string; type: string; param?: string } }>(
    path: string,
    form?: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; body: Body }> {
    const response = await fetch(`${this.server.url}${path}`, {
      method: form === undefined ? 'GET' : 'POST',
      headers: {
        authorization: 'Bearer sbx_sk_tests',
        'stripe-version': '2026-10-28.endive',
        ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(form !== undefined && { body: form }),
    });
    return { status: response.status, body: (await response.json()) as Body };
  }

  async advance(seconds: number): Promise<void> {
    const response = await this.call('/clock', { advance_seconds: seconds, wait: true });
    if (response.status !== 200) throw new Error(await response.text());
  }

  async advanceTo(moment: Date): Promise<void> {
    const response = await this.call('/clock', { advance_seconds: 0, wait: true });
    const { now } = (await response.json()) as { now: string };
    await this.advance(Math.max(0, Math.ceil((moment.getTime() - Date.parse(now)) / 1000)));
  }

  async chargesOf(subscriptionId: string): Promise<ChargeJson[]> {
    const invoices = await this.stripe<List<{ payments: List<InvoicePayment> }>>(
      `/v1/invoices?subscription=${subscriptionId}&limit=100&expand[0]=data.payments`,
    );
    const intents: string[] = invoices.body.data.flatMap((invoice) =>
      invoice.payments.data.map(({ payment }) => payment.payment_intent),
    );
    const pages = await Promise.all(
      intents.map((intent) => this.stripe<List<ChargeJson>>(`/v1/charges?payment_intent=${intent}&limit=100`)),
    );
    return pages.flatMap(({ body }) => body.data).sort((a, b) => a.created - b.created);
  }

  async events(subjectId: string): Promise<string[]> {
    const response = await this.call(`/webhooks?subject_id=${subjectId}&limit=100`);
    const { data } = (await response.json()) as { data: { type: string }[] };
    return data.map(({ type }) => type).reverse();
  }
}

export const stripeConfig = (apiUrl: string, secretKey: string, prices = 'sbx_price_*'): StripeConfig =>
  StripeConfig.fromEnvironment({
    PUBLIC_URL,
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: 'sbx_pk_tests',
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_PRICES: prices,
    STRIPE_TRIAL_OFFERS: 'sbx_to_*',
    STRIPE_API_URL: apiUrl,
  });
