import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findTrialOffer, listPrices } from '../../../../../sandbox/src/stripe/model/prices.js';
import { until } from '../../until.js';
import { needsSandbox } from '../needs-sandbox.js';
import type { Confirmation } from '../test-providers.js';
import { ServerProcess } from './server-process.js';

export const STRIPE_KEY = 'sk_test_conformance';
/** More than a test file presents. */
const CARD_COUNT = 400;

/** How the server's cards behave; others can't be had from it. */
const OUTCOMES: Readonly<Record<string, object>> = {
  '4000000000000002': { outcome: 'decline' },
  '4000000000000341': { outcome: 'decline', late: true },
  '5555555555554444': { outcome: 'success' },
};

/** The catalogue under the sandbox's ids, and cards of different fingerprints. */
function seed(): object {
  const prices = listPrices();
  const offers = prices.map(({ lookup_key: name }) => findTrialOffer(`sbx_to_${name}`)).filter((one) => one !== null);
  const products = [...new Set(prices.map(({ product }) => product))];
  const cards = Array.from({ length: CARD_COUNT }, (_, index) => ({
    object: 'payment_method',
    id: `pm_seed_${index}`,
    type: 'card',
    customer: null,
    card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040, fingerprint: `seed${index}` },
  }));
  const named = products.map((id) => ({ object: 'product', id, name: id }));
  return { objects: [...named, ...prices, ...offers, ...cards] };
}

/** Stripe, played by a server that validates requests by Stripe's API description. */
export class StripeConformance {
  private cardsUsed = 0;

  private constructor(readonly server: ServerProcess) {}

  static async start(script: string, port: number, folder: string, webhookUrl: string, secret: string) {
    const file = join(folder, 'stripe-seed.json');
    await writeFile(file, JSON.stringify(seed()));
    const options = ['--webhook-url', webhookUrl, '--webhook-secret', secret, '--seed', file];
    return new StripeConformance(await ServerProcess.start(script, port, options));
  }

  async confirm(kind: string, id: string, cardNumber: string): Promise<Confirmation> {
    const { status } = await this.server.control<{ status: string }>(`/objects/${id}`);
    if (status === 'canceled') return { status: 'failed', error_code: 'intent_canceled' };
    const method = await this.card(cardNumber);
    const path = `/${kind}/${id}/confirm`;
    const { outcome } = await this.server.control<{ outcome: string }>(path, { payment_method: method });
    if (outcome === 'success') return { status: 'succeeded', payment_method_id: method };
    return { status: 'failed', error_code: 'card_declined' };
  }

  /** @returns the id of a payment method */
  private async card(number: string): Promise<string> {
    const digits = number.replaceAll(' ', '');
    if (digits === '4242424242424242') {
      this.cardsUsed += 1;
      return `pm_seed_${this.cardsUsed - 1}`;
    }
    const outcome = OUTCOMES[digits] ?? needsSandbox('codes of declined cards and pages of banks');
    return (await this.server.control<{ id: string }>('/payment_methods', outcome)).id;
  }

  async dispute(id: string): Promise<void> {
    const intent = id.startsWith('pi_') ? id : await this.latestIntentOf(id);
    const { latest_charge: charge } = await this.read<{ latest_charge: string }>(`/payment_intents/${intent}`);
    await this.server.control(`/disputes/${charge}`, {});
  }

  async refund(intent: string, amount: number): Promise<void> {
    await this.request('/refunds', new URLSearchParams({ payment_intent: intent, amount: String(amount) }));
  }

  async payOpenInvoice(subscription: string, cardNumber: string): Promise<void> {
    const { latest_invoice: invoice } = await this.read<{ latest_invoice: string }>(`/subscriptions/${subscription}`);
    const method = await this.card(cardNumber);
    await this.request(`/invoices/${invoice}/pay`, new URLSearchParams({ payment_method: method }));
  }

  /** Replaces its card by Stripe's test card that can be saved and not charged. */
  async failFutureCharges(subscription: string): Promise<void> {
    const { customer } = await this.read<{ customer: string }>(`/subscriptions/${subscription}`);
    const attach = new URLSearchParams({ customer });
    const { id } = await this.request<{ id: string }>('/payment_methods/pm_card_chargeCustomerFail/attach', attach);
    await this.request(`/subscriptions/${subscription}`, new URLSearchParams({ default_payment_method: id }));
  }

  async advance(seconds: number): Promise<void> {
    await this.server.control('/clock/advance', { seconds });
  }

  async deliverEvents(): Promise<void> {
    const events = await this.server.control<unknown[]>('/events');
    const isDelivered = async () => {
      const { deliveries } = await this.server.control<{ deliveries: unknown[] }>('/webhooks');
      return deliveries.length >= events.length;
    };
    await this.server.control('/webhooks/flush', {});
    await until(isDelivered, 'the events of Stripe');
  }

  async withhold(isWithheld: boolean): Promise<void> {
    await this.server.control('/webhooks', { mode: isWithheld ? 'manual' : 'auto' });
    if (!isWithheld) await this.server.control('/webhooks/flush', {});
  }

  async list<Item extends { readonly id: string }>(path: string, query: Readonly<Record<string, string>> = {}) {
    const items: Item[] = [];
    for (;;) {
      const last = items.at(-1);
      const search = new URLSearchParams({ limit: '100', ...query, ...(last && { starting_after: last.id }) });
      const page = await this.read<{ data: Item[]; has_more: boolean }>(`${path}?${search}`);
      items.push(...page.data);
      if (!page.has_more) return items.reverse();
    }
  }

  private async latestIntentOf(subscription: string): Promise<string | undefined> {
    const path = `/subscriptions/${subscription}?expand[]=latest_invoice.payments`;
    const { latest_invoice: invoice } = await this.read<{
      latest_invoice: { payments: { data: { payment: { payment_intent: string } }[] } };
    }>(path);
    return invoice.payments.data[0]?.payment.payment_intent;
  }

  private read<Body>(path: string): Promise<Body> {
    return this.request<Body>(path);
  }

  private async request<Body>(path: string, form?: URLSearchParams): Promise<Body> {
    const response = await fetch(`${this.server.url}/v1${path}`, {
      method: form ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${STRIPE_KEY}`, 'stripe-version': '2026-10-28.endive' },
      ...(form && { body: form }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${text}`);
    return JSON.parse(text) as Body;
  }
}
