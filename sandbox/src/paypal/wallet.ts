import { newId } from '../core/ids.js';
import type { Ledger, Reader } from '../core/ledger.js';
import { Rejection } from '../core/problem.js';
import { emit } from './events.js';
import { findStored, listStored, type Order, type Subscription, saveStored, timeOf } from './objects.js';
import { approveOrder, createOrder, type NewOrder, refundCapture } from './orders.js';
import { findPlan, type Plan } from './plans.js';
import { approveSubscription, createSubscription } from './subscriptions.js';

export class Wallet {
  constructor(
    private readonly ledger: Ledger,
    private readonly merchantId: string,
  ) {}

  /** Does what PayPal's buttons do; not approved yet. @throws Rejection `prices.not_found` for an unknown plan */
  createSubscription(planId: string, customId: string): Promise<Subscription> {
    const plan = requirePlan(planId);
    return this.ledger.transact((tx) => createSubscription(tx, plan, customId));
  }

  createOrder(order: NewOrder): Promise<Order> {
    return this.ledger.transact((tx) => createOrder(tx, this.merchantId, order));
  }

  /** Created and approved. @returns the id @throws Rejection `prices.not_found` for an unknown plan */
  subscribe(planId: string, customId: string): Promise<string> {
    const plan = requirePlan(planId);
    return this.ledger.transact(async (tx) => {
      const subscription = await createSubscription(tx, plan, customId);
      await approveSubscription(tx, subscription);
      return subscription.id;
    });
  }

  /** Created and approved. @param merchantId another receiver @returns the id */
  pay(
    { payerEmail, ...order }: NewOrder & { readonly payerEmail?: string | undefined },
    merchantId = this.merchantId,
  ): Promise<string> {
    return this.ledger.transact(async (tx) => {
      const created = await createOrder(tx, merchantId, order);
      await approveOrder(tx, created, payerEmail);
      return created.id;
    });
  }

  find<Kind extends 'subscription' | 'order'>(kind: Kind, id: string) {
    return this.ledger.read((reader) => requireStored(reader, kind, id));
  }

  approve(kind: 'subscription' | 'order', id: string): Promise<void> {
    return this.ledger.transact(async (tx) => {
      if (kind === 'order') await approveOrder(tx, await requireStored(tx, 'order', id));
      else await approveSubscription(tx, await requireStored(tx, 'subscription', id));
    });
  }

  /** Disputes the latest payment of an order or subscription. */
  dispute(id: string): Promise<void> {
    return this.ledger.transact(async (tx) => {
      const [capture] = (await listStored(tx, 'capture', { _subject: id })).filter(
        ({ status }) => status !== 'DECLINED',
      );
      if (!capture) throw new Rejection('payments.not_found');
      capture._isDisputed = true;
      await saveStored(tx, 'capture', capture);
      const resource = {
        dispute_id: newId('dp'),
        create_time: timeOf(tx.now),
        disputed_transactions: [{ seller_transaction_id: capture.id, custom: capture.custom_id }],
        reason: 'UNAUTHORISED',
        status: 'OPEN',
        dispute_amount: capture.amount,
      };
      await emit(tx, 'CUSTOMER.DISPUTE.CREATED', { type: 'dispute', resource }, id);
    });
  }

  /** Resolves the dispute of {@link dispute} in the seller's favor. */
  winDispute(id: string): Promise<void> {
    return this.ledger.transact(async (tx) => {
      const [capture] = (await listStored(tx, 'capture', { _subject: id })).filter(({ _isDisputed }) => _isDisputed);
      const [event] = await tx.query<{ payload: string }>(
        `SELECT payload FROM sandbox.events WHERE type = 'CUSTOMER.DISPUTE.CREATED' AND subject_id = $1
         ORDER BY seq DESC LIMIT 1`,
        [id],
      );
      if (!capture || !event) throw new Rejection('payments.not_found');
      await saveStored(tx, 'capture', { ...capture, _isDisputed: false });
      const { resource } = JSON.parse(event.payload) as { resource: object };
      const resolved = { ...resource, status: 'RESOLVED', dispute_outcome: { outcome_code: 'RESOLVED_SELLER_FAVOUR' } };
      await emit(tx, 'CUSTOMER.DISPUTE.RESOLVED', { type: 'dispute', resource: resolved }, id);
    });
  }

  /** Refunds part of a one-time payment, at most the refundable amount. @returns the refunded cents */
  refundPayment(id: string, amountCents: number): Promise<number> {
    return this.ledger.transact(async (tx) => {
      const [capture] = await listStored(tx, 'capture', { _subject: id });
      if (!capture) throw new Rejection('payments.not_found');
      const amount = Math.min(amountCents, capture._isDisputed ? 0 : capture._amountCents - capture._refundedCents);
      if (amount > 0) await refundCapture(tx, capture, { amountCents: amount });
      return amount;
    });
  }

  failFutureCharges(id: string): Promise<void> {
    return this.ledger.transact(async (tx) => {
      const subscription = await findStored(tx, 'subscription', id);
      if (!subscription) throw new Rejection('subscriptions.not_found');
      const nextAt = subscription.billing_info.next_billing_time;
      const due = nextAt === undefined ? null : Math.floor(Date.parse(nextAt) / 1000);
      await saveStored(tx, 'subscription', { ...subscription, _failure: 'PAYER_CANNOT_PAY' }, due);
    });
  }
}

function requirePlan(id: string): Plan {
  const plan = findPlan(id);
  if (!plan) throw new Rejection('prices.not_found');
  return plan;
}

async function requireStored<Kind extends 'subscription' | 'order'>(reader: Reader, kind: Kind, id: string) {
  const stored = await findStored(reader, kind, id);
  if (!stored) throw new Rejection('payments.not_found');
  return stored;
}
