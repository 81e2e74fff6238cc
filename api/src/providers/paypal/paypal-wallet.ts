import { inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { sha256Hex } from '../../platform/config/seal.js';
import { BillingClock } from '../billing-clock.js';
import {
  type Approval,
  type ApprovalRequest,
  type EventHeaders,
  PaymentDeclined,
  type PaymentSnapshot,
  type ProviderEvent,
  type SubscriptionSnapshot,
  WalletProvider,
} from '../payment-provider.js';
import { PayPalConfig } from './paypal.config.js';
import { createApproval } from './paypal-approvals.js';
import { isPayPalId, PayPalClient, PayPalRejection } from './paypal-client.js';
import { type KnownRefund, PayPalDisputes, PayPalEvents } from './paypal-events.js';
import { PayPalPlans } from './paypal-plans.js';
import { CreatedRefund, centsOf, moneyOf, Order, Subscription, Transactions } from './paypal-shapes.js';
import {
  isOfPeriod,
  isPaid,
  type PaidTransaction,
  paymentSnapshot,
  periodOf,
  subscriptionSnapshot,
} from './paypal-snapshots.js';

/** Checkouts are swept for a day. */
const APPROVALS_MS = inMilliseconds.hours(25);
const CANCEL_REASON = 'Requested by the customer';
/** Rejected captures that leave the order unchanged: its state is read instead. */
const UNCHANGED = ['ORDER_ALREADY_CAPTURED', 'ORDER_NOT_APPROVED', 'DUPLICATE_REQUEST_ID'];
const UNPROCESSABLE = 422;
const REFUNDABLE = ['COMPLETED', 'PARTIALLY_REFUNDED'];

interface Payments {
  readonly subscription: Subscription;
  readonly paid: readonly PaidTransaction[];
}

@Injectable()
export class PayPalWallet extends WalletProvider {
  override readonly name = 'paypal';
  private readonly client: PayPalClient;
  private readonly events: PayPalEvents;
  private readonly disputes: PayPalDisputes;

  constructor(
    private readonly config: PayPalConfig,
    private readonly plans: PayPalPlans,
    private readonly clock: BillingClock,
  ) {
    super();
    this.client = new PayPalClient(config);
    this.events = new PayPalEvents(this.client, config.webhookId);
    this.disputes = new PayPalDisputes((type, filter) => this.events.list(type, filter), clock);
  }

  override get automaticPaymentsUrl(): string {
    return this.config.automaticPaymentsUrl;
  }

  override browserForm(): { readonly clientId: string; readonly scriptUrl: string } | null {
    const { clientId, scriptUrl } = this.config;
    return scriptUrl === null ? null : { clientId, scriptUrl };
  }

  override approvalPage(approval: ApprovalRequest): Promise<string> {
    return createApproval(this.client, approval);
  }

  override async readSubscription(id: string): Promise<SubscriptionSnapshot | null> {
    const payments = await this.paymentsOf(id);
    if (!payments) return null;
    const { subscription, paid } = payments;
    const terms = this.plans.termsOf(subscription.plan_id);
    const disputed = paid.length > 0 ? await this.disputes.transactions() : new Set<string>();
    const running = paid.filter(isOfPeriod(periodOf(subscription, terms)));
    return subscriptionSnapshot(
      subscription,
      terms,
      running,
      paid.some((one) => disputed.has(one.id)),
    );
  }

  override async readPayment(id: string): Promise<PaymentSnapshot | null> {
    const order = isPayPalId(id) ? await this.client.find(`/v2/checkout/orders/${id}`, Order) : null;
    return order && this.snapshotOf(order);
  }

  override async capturePayment(id: string, key: string): Promise<PaymentSnapshot> {
    try {
      await this.client.post(`/v2/checkout/orders/${encodeURIComponent(id)}/capture`, z.unknown(), { body: {}, key });
    } catch (error) {
      if (!isUnprocessable(error)) throw error;
      if (!UNCHANGED.includes(error.issue)) throw new PaymentDeclined(error.issue, { cause: error });
    }
    const snapshot = await this.readPayment(id);
    if (!snapshot) throw new Error(`the order ${id} is gone`);
    return snapshot;
  }

  override async findApprovals(customId: string): Promise<readonly Approval[]> {
    const now = this.clock.now();
    return this.events.approvals(customId, new Date(now.getTime() - APPROVALS_MS));
  }

  override async endSubscription(id: string, key: string): Promise<SubscriptionSnapshot> {
    try {
      const path = `/v1/billing/subscriptions/${encodeURIComponent(id)}/cancel`;
      await this.client.post(path, z.unknown(), { body: { reason: CANCEL_REASON }, key });
    } catch (error) {
      // The subscription has ended.
      if (!isUnprocessable(error)) throw error;
    }
    const snapshot = await this.readSubscription(id);
    if (!snapshot) throw new Error(`the subscription ${id} is gone`);
    return snapshot;
  }

  override async refundSubscription(id: string, amountCents: number, key: string): Promise<number> {
    const payments = await this.paymentsOf(id);
    if (!payments) throw new Error(`the subscription ${id} is unknown`);
    const { subscription, paid } = payments;
    const terms = this.plans.termsOf(subscription.plan_id);
    const running = paid.filter(isOfPeriod(periodOf(subscription, terms)));
    const [disputed, known] = await Promise.all([this.disputes.transactions(), this.knownRefunds(running)]);
    let refunded = 0;
    for (const payment of running) {
      const earlier = known.find((one) => one.transactionId === payment.id && one.customId === sha256Hex(key));
      const left = disputed.has(payment.id) ? 0 : payment.grossCents - payment.refundedCents;
      const amount = Math.min(amountCents - refunded, left);
      if (earlier) refunded += earlier.cents;
      else if (amount > 0) refunded += await this.refund(payment, amount, key);
    }
    return refunded;
  }

  override async refundPayment(id: string, key: string): Promise<void> {
    const order = await this.client.get(`/v2/checkout/orders/${encodeURIComponent(id)}`, Order);
    const [capture] = order.purchase_units.flatMap(({ payments }) => payments?.captures ?? []);
    if (!capture || !REFUNDABLE.includes(capture.status)) return;
    if ((await this.disputes.transactions()).has(capture.id)) return;
    await this.refundRest(capture.id, key, `${key}:${capture.id}`);
  }

  override async readEvent(rawBody: Buffer, headers: EventHeaders): Promise<ProviderEvent | null> {
    const event = await this.events.verify(rawBody, headers);
    return event && { id: event.id, type: event.event_type, subject: await this.events.subjectOf(event) };
  }

  private async paymentsOf(id: string): Promise<Payments | null> {
    if (!isPayPalId(id)) return null;
    const subscription = await this.client.find(`/v1/billing/subscriptions/${id}`, Subscription);
    const last = subscription?.billing_info?.last_payment;
    if (!subscription) return null;
    if (!last) return { subscription, paid: [] };
    const from = subscription.create_time ?? subscription.start_time;
    const to = new Date(Math.max(Date.now(), last.time.getTime()) + inMilliseconds.minutes(1));
    const query = new URLSearchParams({ start_time: from.toISOString(), end_time: to.toISOString() });
    const path = `/v1/billing/subscriptions/${id}/transactions?${query}`;
    const { transactions = [] } = await this.client.get(path, Transactions);
    const succeeded = transactions.filter(isPaid);
    const known = await this.knownRefunds(succeeded.filter(({ status }) => status === 'PARTIALLY_REFUNDED'));
    const paid = succeeded.map(
      ({ id: transactionId, status, time, amount_with_breakdown: { gross_amount: gross } }) => ({
        id: transactionId,
        time,
        grossCents: centsOf(gross),
        currencyCode: gross.currency_code,
        refundedCents: status === 'REFUNDED' ? centsOf(gross) : refundedOf(transactionId, known),
      }),
    );
    return { subscription, paid };
  }

  private async knownRefunds(payments: readonly { readonly time: Date }[]): Promise<readonly KnownRefund[]> {
    if (payments.length === 0) return [];
    return this.events.refunds(new Date(Math.min(...payments.map(({ time }) => time.getTime()))));
  }

  private async refund({ id, currencyCode }: PaidTransaction, amountCents: number, key: string): Promise<number> {
    const body = { amount: moneyOf(amountCents, currencyCode), custom_id: sha256Hex(key) };
    try {
      const { amount } = await this.client.post(refundPathOf(id), CreatedRefund, { body, key: `${key}:${id}` });
      return amount ? centsOf(amount) : amountCents;
    } catch (error) {
      if (!isUnprocessable(error)) throw error;
      if (error.issue === 'CAPTURE_FULLY_REFUNDED') return 0;
      if (error.issue !== 'REFUND_AMOUNT_EXCEEDED') throw error;
      // Partly refunded longer ago than events are kept.
      return (await this.refundRest(id, key, `${key}:${id}:rest`)) ?? amountCents;
    }
  }

  /** Without an amount, PayPal refunds what is left. @returns the refunded cents; null when PayPal doesn't say */
  private async refundRest(captureId: string, key: string, requestKey: string): Promise<number | null> {
    const body = { custom_id: sha256Hex(key) };
    try {
      const { amount } = await this.client.post(refundPathOf(captureId), CreatedRefund, { body, key: requestKey });
      return amount ? centsOf(amount) : null;
    } catch (error) {
      if (isUnprocessable(error) && error.issue === 'CAPTURE_FULLY_REFUNDED') return 0;
      throw error;
    }
  }

  private async snapshotOf(order: Order): Promise<PaymentSnapshot | null> {
    const isCaptured = order.purchase_units.some(({ payments }) => payments?.captures?.length);
    const disputed = isCaptured ? await this.disputes.transactions() : new Set<string>();
    return paymentSnapshot(order, this.config.merchantId, disputed);
  }
}

const refundPathOf = (captureId: string): string => `/v2/payments/captures/${encodeURIComponent(captureId)}/refund`;

const isUnprocessable = (error: unknown): error is PayPalRejection =>
  error instanceof PayPalRejection && error.status === UNPROCESSABLE;

const refundedOf = (transactionId: string, known: readonly KnownRefund[]): number =>
  Math.max(0, ...known.filter((one) => one.transactionId === transactionId).map(({ totalCents }) => totalCents));
