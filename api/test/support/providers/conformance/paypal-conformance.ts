import { randomUUID } from 'node:crypto';
import { TestRunner } from 'vitest';
import { findPlan, PLANS } from '../../../../../sandbox/src/paypal/model/plans.js';
import type { WalletOrder } from '../test-providers.js';
import { ServerProcess } from './server-process.js';

const newId = (prefix = ''): string => `${prefix}${randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase()}`;
const moneyOf = (cents: number, currency: string) => ({
  currency_code: currency.toUpperCase(),
  value: (cents / 100).toFixed(2),
});

interface LoggedRefund {
  readonly path: string;
  readonly body: string;
  readonly status?: number;
  readonly replayed?: true;
}

interface WalletPayment {
  readonly id: string;
  readonly subjectId: string;
  readonly amountCents: number;
}

export interface WalletCharge extends WalletPayment {
  readonly refundedCents: number;
}

interface CapturedOrder {
  readonly purchase_units?: readonly {
    readonly payments?: { readonly captures?: readonly { readonly id: string; readonly amount: { value: string } }[] };
  }[];
}

/** PayPal, played by a server that validates requests by PayPal's API descriptions. */
export class PayPalConformance {
  /** Approved subscriptions with their first payments; null in a trial. */
  readonly subscriptions = new Map<string, { readonly saleId: string | null; readonly test: unknown }>();
  readonly orders: string[] = [];
  private readonly sales = new Map<string, number>();
  private withheld: object[] | null = null;
  private offsetMs = 0;
  private posting: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly server: ServerProcess,
    private readonly merchantId: string,
  ) {}

  static async start(script: string, port: number, webhookUrl: string, webhookId: string, merchantId: string) {
    const options = ['--webhook-url', webhookUrl, '--webhook-id', webhookId];
    const server = await ServerProcess.start(script, port, options);
    for (const plan of PLANS) await server.control('/put', plan);
    return new PayPalConformance(server, merchantId);
  }

  /** Charged at once, unless the plan has a trial. */
  async approveSubscription(planId: string, customId: string): Promise<string> {
    const id = newId('I-');
    const plan = findPlan(planId);
    const [cycle] = plan?.billing_cycles ?? [];
    if (!plan || !cycle) throw new Error(`no plan ${planId}`);
    const isTrial = cycle.tenure_type === 'TRIAL';
    const now = new Date(Date.now() + this.offsetMs);
    const days = cycle.frequency.interval_count * (cycle.frequency.interval_unit === 'WEEK' ? 7 : 1);
    const amount = cycle.pricing_scheme.fixed_price;
    const saleId = isTrial ? null : newId('S');
    if (saleId !== null) {
      const cents = Math.round(Number(amount.value) * 100);
      this.sales.set(saleId, cents);
      await this.put({ id: saleId, status: 'COMPLETED', amount, _left: cents });
    }
    const time = now.toISOString();
    const resource = {
      id,
      status: 'ACTIVE',
      plan_id: planId,
      custom_id: customId,
      create_time: time,
      start_time: time,
    };
    await this.put({
      ...resource,
      subscriber: { payer_id: newId('P') },
      billing_info: {
        ...(saleId !== null && { last_payment: { amount, time } }),
        next_billing_time: new Date(now.getTime() + days * 86_400_000).toISOString(),
        failed_payments_count: 0,
      },
      _tx:
        saleId === null
          ? []
          : [{ id: saleId, status: 'COMPLETED', amount_with_breakdown: { gross_amount: amount }, time }],
    });
    this.subscriptions.set(id, { saleId, test: TestRunner.getCurrentTest() });
    this.emit('BILLING.SUBSCRIPTION.ACTIVATED', resource);
    return id;
  }

  async approveOrder({ amountCents, currency, customId }: WalletOrder): Promise<string> {
    const id = newId();
    const unit = {
      amount: moneyOf(amountCents, currency),
      custom_id: customId,
      payee: { merchant_id: this.merchantId },
    };
    const order = { id, status: 'APPROVED', intent: 'CAPTURE', purchase_units: [unit] };
    await this.put(order);
    this.orders.push(id);
    this.emit('CHECKOUT.ORDER.APPROVED', order);
    return id;
  }

  /** Approved by the running test. */
  hasTimedSubscription(): boolean {
    const test = TestRunner.getCurrentTest();
    return test !== undefined && [...this.subscriptions.values()].some((one) => one.test === test);
  }

  isOurs(id: string): boolean {
    return this.subscriptions.has(id) || this.orders.includes(id);
  }

  /** New approvals happen later. The server itself has no clock: running subscriptions stay as they are. */
  advance(seconds: number): void {
    this.offsetMs += seconds * 1000;
  }

  withhold(isWithheld: boolean): void {
    const events = this.withheld ?? [];
    this.withheld = isWithheld ? events : null;
    if (!isWithheld) for (const event of events) this.post(event);
  }

  async deliverEvents(): Promise<void> {
    for (const event of this.withheld?.splice(0) ?? []) this.post(event);
    await this.posting;
  }

  async stateOf<State>(path: string): Promise<State> {
    const token = await fetch(`${this.server.url}/v1/oauth2/token`, {
      method: 'POST',
      headers: { authorization: 'Basic dGVzdDp0ZXN0', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    });
    const { access_token: bearer } = (await token.json()) as { access_token: string };
    const response = await fetch(`${this.server.url}${path}`, { headers: { authorization: `Bearer ${bearer}` } });
    return (await response.json()) as State;
  }

  /** First payments of subscriptions, and captures. The server shows no refunds, so they are counted in its log. */
  async charges(): Promise<WalletCharge[]> {
    const log = await this.server.control<LoggedRefund[]>('/log');
    const refunds = log.filter(({ path, status, replayed }) => path.endsWith('/refund') && status === 201 && !replayed);
    return [...this.firstPayments(), ...(await this.captures())].map((payment) => ({
      ...payment,
      refundedCents: refunds
        .filter(({ path }) => path.includes(`/${payment.id}/`))
        .reduce((total, { body }) => {
          const { amount } = JSON.parse(body) as { amount?: { value: string } };
          return total + (amount ? Math.round(Number(amount.value) * 100) : payment.amountCents - total);
        }, 0),
    }));
  }

  private firstPayments(): WalletPayment[] {
    return [...this.subscriptions].flatMap(([subjectId, { saleId: id }]) =>
      id === null ? [] : [{ id, subjectId, amountCents: this.sales.get(id) ?? 0 }],
    );
  }

  private async captures(): Promise<WalletPayment[]> {
    const orders = await Promise.all(
      this.orders.map((id) =>
        this.stateOf<CapturedOrder>(`/v2/checkout/orders/${id}`).then((order) => ({ ...order, id })),
      ),
    );
    return orders.flatMap(({ id: subjectId, purchase_units: units = [] }) =>
      units
        .flatMap(({ payments }) => payments?.captures ?? [])
        .map(({ id, amount }) => ({ id, subjectId, amountCents: Math.round(Number(amount.value) * 100) })),
    );
  }

  private put(object: object): Promise<unknown> {
    return this.server.control('/put', object);
  }

  private emit(type: string, resource: object): void {
    const event = { id: newId('WH-'), event_type: type, resource };
    if (this.withheld) this.withheld.push(event);
    else this.post(event);
  }

  /** In order. The product repeats what it can't process. */
  private post(event: object): void {
    this.posting = this.posting.then(() => this.server.control('/webhook', { event })).catch(() => undefined);
  }
}
