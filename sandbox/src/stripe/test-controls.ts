import { newId } from '../core/ids.js';
import type { Ledger } from '../core/ledger.js';
import { Rejection } from '../core/problem.js';
import { emit } from './events.js';
import { type Dispute, findObject, listObjects, saveObject } from './objects.js';
import { refundPayment } from './payments.js';

export class StripeControls {
  constructor(private readonly ledger: Ledger) {}

  /** Disputes the latest charge of a payment intent or subscription. */
  dispute(id: string): Promise<void> {
    return this.ledger.transact(async (tx) => {
      const intentId = await this.paymentIntentOf(tx, id);
      const [charge] = (await listObjects(tx, 'charge', { payment_intent: intentId })).filter(
        ({ status }) => status === 'succeeded',
      );
      if (!charge) throw new Rejection('payments.not_found');
      await saveObject(tx, { ...charge, disputed: true });
      const dispute = await saveObject<Dispute>(tx, {
        id: newId('dp'),
        object: 'dispute',
        livemode: false,
        created: tx.now,
        amount: charge.amount,
        currency: charge.currency,
        charge: charge.id,
        payment_intent: intentId,
        reason: 'fraudulent',
        status: 'needs_response',
        metadata: {},
      });
      await emit(tx, 'charge.dispute.created', dispute, id);
    });
  }

  /** Closes the dispute of {@link dispute} in our favor. The charge stays `disputed`, as at Stripe. */
  winDispute(id: string): Promise<void> {
    return this.ledger.transact(async (tx) => {
      const intentId = await this.paymentIntentOf(tx, id);
      const [dispute] = await listObjects(tx, 'dispute', { payment_intent: intentId });
      if (!dispute) throw new Rejection('payments.not_found');
      await emit(tx, 'charge.dispute.closed', await saveObject<Dispute>(tx, { ...dispute, status: 'won' }), id);
    });
  }

  /** Refunds part of a one-time payment, at most the refundable amount. @returns the refunded cents */
  refundPayment(id: string, amountCents: number): Promise<number> {
    return this.ledger.transact(async (tx) => {
      const intent = await findObject(tx, 'payment_intent', id);
      const charge = intent?.latest_charge ? await findObject(tx, 'charge', intent.latest_charge) : null;
      if (!intent || !charge) throw new Rejection('payments.not_found');
      const amount = Math.min(amountCents, charge.disputed ? 0 : charge.amount - charge.amount_refunded);
      if (amount > 0) await refundPayment(tx, intent, { amount, metadata: {} }, id);
      return amount;
    });
  }

  failFutureCharges(subscriptionId: string): Promise<void> {
    return this.ledger.transact(async (tx) => {
      const subscription = await findObject(tx, 'subscription', subscriptionId);
      const methodId = subscription?.default_payment_method;
      const method = methodId ? await findObject(tx, 'payment_method', methodId) : null;
      if (!method) throw new Rejection('subscriptions.not_found');
      await saveObject(tx, { ...method, _declineCode: 'insufficient_funds' });
    });
  }

  private async paymentIntentOf(tx: Parameters<typeof findObject>[0], id: string): Promise<string> {
    const subscription = await findObject(tx, 'subscription', id);
    if (!subscription) return id;
    const invoice = subscription.latest_invoice ? await findObject(tx, 'invoice', subscription.latest_invoice) : null;
    return invoice?.payments.data[0]?.payment.payment_intent ?? id;
  }
}
