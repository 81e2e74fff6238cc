import { randomUUID } from 'node:crypto';
import type { Environment } from '@clearframe/runtime/config';
import type { Pool } from 'pg';
import { onTestFinished, TestRunner } from 'vitest';
import { freePort } from '../../../../../runtime/test/ports.js';
import type { Faults } from '../../../../../sandbox/src/core/faults.js';
import { needsSandbox } from '../needs-sandbox.js';
import type { Confirmation, TestProviders, WalletOrder } from '../test-providers.js';
import { createLedger, fillLedger } from './conformance-ledger.js';
import { FaultProxy } from './fault-proxy.js';
import { PayPalConformance } from './paypal-conformance.js';
import { STRIPE_KEY, StripeConformance } from './stripe-conformance.js';

/** Conformance servers in place of the sandbox: each API has its own. */
export class ConformanceProviders implements TestProviders {
  readonly environment: Environment;
  private filling: Promise<void> = Promise.resolve();

  private constructor(
    private readonly stripe: StripeConformance,
    private readonly paypal: PayPalConformance,
    private readonly proxies: { readonly stripe: FaultProxy; readonly paypal: FaultProxy },
    private readonly publicUrl: string,
    private readonly pool: Pool,
  ) {
    this.environment = {
      STRIPE_API_URL: proxies.stripe.url,
      STRIPE_SECRET_KEY: STRIPE_KEY,
      PAYPAL_API_URL: proxies.paypal.url,
      // The SDK keeps one token for each client and process.
      PAYPAL_CLIENT_ID: `conformance-${randomUUID()}`,
    };
  }

  /** @param folder for their files */
  static async start(
    scripts: { readonly stripe: string; readonly paypal: string },
    settings: Environment,
    folder: string,
    pool: Pool,
  ): Promise<ConformanceProviders> {
    const { PUBLIC_URL = '', STRIPE_WEBHOOK_SECRET = '', PAYPAL_WEBHOOK_ID = '', PAYPAL_MERCHANT_ID = '' } = settings;
    const hook = (provider: string): string => `${PUBLIC_URL}/api/webhooks/${provider}`;
    const stripe = await StripeConformance.start(
      scripts.stripe,
      await freePort(),
      folder,
      hook('stripe'),
      STRIPE_WEBHOOK_SECRET,
    );
    const paypal = await PayPalConformance.start(
      scripts.paypal,
      await freePort(),
      hook('paypal'),
      PAYPAL_WEBHOOK_ID,
      PAYPAL_MERCHANT_ID,
    ).catch(async (error: unknown) => {
      await stripe.server.end();
      throw error;
    });
    await createLedger(pool);
    const proxies = {
      stripe: await FaultProxy.start(stripe.server.url),
      paypal: await FaultProxy.start(paypal.server.url),
    };
    return new ConformanceProviders(stripe, paypal, proxies, PUBLIC_URL, pool);
  }

  get cardFaults(): Faults {
    return this.proxies.stripe.faults;
  }

  get walletFaults(): Faults {
    return this.proxies.paypal.faults;
  }

  get pagesUrl(): string {
    return needsSandbox('hosted pages');
  }

  confirm(kind: string, id: string, cardNumber: string): Promise<Confirmation> {
    return this.stripe.confirm(kind, id, cardNumber);
  }

  approveSubscription(planId: string, customId: string): Promise<string> {
    return this.paypal.approveSubscription(planId, customId);
  }

  approveOrder(order: WalletOrder): Promise<string> {
    return this.paypal.approveOrder(order);
  }

  async dispute(id: string): Promise<void> {
    if (this.paypal.isOurs(id)) needsSandbox("the wallet's disputes and staff");
    if (id.startsWith('sub_')) needsSandbox('invoices listed by subscription');
    await this.stripe.dispute(id);
  }

  async refundPayment(id: string, cents: number): Promise<void> {
    if (this.paypal.isOurs(id)) needsSandbox("the wallet's disputes and staff");
    await this.stripe.refund(id, cents);
  }

  async failFutureCharges(id: string): Promise<void> {
    if (this.paypal.isOurs(id)) needsSandbox("a clock of PayPal's");
    await this.stripe.failFutureCharges(id);
  }

  payOpenInvoice(subscriptionId: string, cardNumber: string): Promise<void> {
    return this.stripe.payOpenInvoice(subscriptionId, cardNumber);
  }

  async deliverEvents(): Promise<void> {
    await Promise.all([this.stripe.deliverEvents(), this.paypal.deliverEvents()]);
  }

  async withholdEvents(isWithheld: boolean): Promise<void> {
    // A skipped test doesn't reach the line that sends them again.
    if (isWithheld && TestRunner.getCurrentTest()) onTestFinished(() => this.withholdEvents(false));
    this.paypal.withhold(isWithheld);
    await this.stripe.withhold(isWithheld);
  }

  /** The product follows the sandbox's clock. PayPal's server has none. */
  async advance(seconds: number): Promise<void> {
    if (this.paypal.hasTimedSubscription()) needsSandbox("a clock of PayPal's");
    await fetch(`${this.publicUrl}/api/sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance_seconds: seconds, wait: true }),
    });
    this.paypal.advance(seconds);
    await this.stripe.advance(seconds);
  }

  async prepareQuery(sql: string): Promise<void> {
    if (/\bsandbox\./.test(sql)) needsSandbox("the sandbox's tables");
    if (!sql.includes('ledger.')) return;
    // One after the other: each replaces the rows.
    this.filling = this.filling.catch(() => undefined).then(() => fillLedger(this.pool, this.stripe, this.paypal));
    await this.filling;
  }

  async stop(): Promise<void> {
    this.proxies.stripe.stop();
    this.proxies.paypal.stop();
    const [stripe, paypal] = await Promise.all([this.stripe.server.stop(), this.paypal.server.stop()]);
    process.stdout.write(`conformance: ${stripe} requests to Stripe, ${paypal} to PayPal, no violation\n`);
  }
}
