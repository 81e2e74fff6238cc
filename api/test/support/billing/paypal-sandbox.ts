import { randomUUID } from 'node:crypto';
import { type Sandbox, startSandbox } from '../../../../sandbox/src/server.js';
import { BillingClock } from '../../../src/providers/billing-clock.js';
import type { SubscriptionSnapshot } from '../../../src/providers/payment-provider.js';
import { PayPalConfig } from '../../../src/providers/paypal/paypal.config.js';
import { PayPalPlans } from '../../../src/providers/paypal/paypal-plans.js';
import { PayPalWallet } from '../../../src/providers/paypal/paypal-wallet.js';
import { copyDatabase, type OwnDatabase } from '../stores/stores.js';

export const DAY_SECONDS = 86_400;
const PUBLIC_URL = 'http://127.0.0.1:3000';

const KEYS = {
  clientId: 'sbx_client_tests',
  clientSecret: 'sbx_secret_tests',
  merchantId: 'SBXMERCHANT',
  webhookId: 'sbxwebhook',
};

export const paypalConfig = (apiUrl: string, changes: Readonly<Record<string, string>> = {}): PayPalConfig =>
  PayPalConfig.fromEnvironment({
    PAYPAL_CLIENT_ID: KEYS.clientId,
    PAYPAL_CLIENT_SECRET: KEYS.clientSecret,
    PAYPAL_MERCHANT_ID: KEYS.merchantId,
    PAYPAL_WEBHOOK_ID: KEYS.webhookId,
    PAYPAL_PLANS: 'sbx_plan_*',
    PAYPAL_TRIAL_PLANS: 'sbx_plan_*_ft',
    PAYPAL_API_URL: apiUrl,
    ...changes,
  });

export class PayPalSandbox {
  readonly plans: PayPalPlans;
  readonly wallet: PayPalWallet;
  private readonly clock = new SandboxTime();

  private constructor(
    readonly server: Sandbox,
    private readonly database: OwnDatabase,
  ) {
    const config = paypalConfig(server.url);
    this.plans = new PayPalPlans(config);
    this.wallet = new PayPalWallet(config, this.plans, this.clock);
  }

  static async start(webhookUrl: string | null = null): Promise<PayPalSandbox> {
    const database = await copyDatabase();
    const server = await startSandbox(
      {
        host: '127.0.0.1',
        port: 0,
        databaseUrl: database.url,
        publicUrl: PUBLIC_URL,
        stripe: { secretKey: 'sbx_sk_tests', webhookSecret: 'whsec_tests', webhookUrl: null },
        paypal: { ...KEYS, webhookUrl },
      },
      () => undefined,
    );
    return new PayPalSandbox(server, database);
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.database.drop();
  }

  subscribe(price = 'personal_weekly_usd', { trial = false, customId = `buyer-${randomUUID().slice(0, 8)}` } = {}) {
    const { withTrial, withoutTrial } = this.plans.plansOf(price);
    return this.server.wallet.subscribe((trial ? withTrial : withoutTrial) ?? '', customId);
  }

  async read(id: string): Promise<SubscriptionSnapshot> {
    const snapshot = await this.wallet.readSubscription(id);
    if (!snapshot) throw new Error(`the sandbox knows no subscription ${id}`);
    return snapshot;
  }

  async advance(seconds: number): Promise<void> {
    const response = await fetch(`${this.server.url}/api/sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance_seconds: seconds, wait: true }),
    });
    if (response.status !== 200) throw new Error(await response.text());
    this.clock.follow(((await response.json()) as { now: string }).now);
  }

  async events(subjectId: string): Promise<string[]> {
    const response = await fetch(`${this.server.url}/api/sandbox/webhooks?subject_id=${subjectId}&limit=100`);
    const { data } = (await response.json()) as { data: { type: string }[] };
    return data.map(({ type }) => type).reverse();
  }

  async token(): Promise<string> {
    const response = await fetch(`${this.server.url}/v1/oauth2/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${KEYS.clientId}:${KEYS.clientSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    return ((await response.json()) as { access_token: string }).access_token;
  }

  async request<Body = { name: string; details: { issue: string; field?: string }[] }>(
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; body: Body }> {
    const response = await fetch(`${this.server.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${await this.token()}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as Body };
  }
}

class SandboxTime extends BillingClock {
  private offsetMs = 0;

  follow(now: string): void {
    this.offsetMs = Date.parse(now) - Date.now();
  }

  override now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }
}
