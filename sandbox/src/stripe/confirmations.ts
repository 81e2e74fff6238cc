import { intentIdIn, isSame, newId } from '../core/ids.js';
import type { Ledger, Reader, Transaction } from '../core/ledger.js';
import { Rejection } from '../core/problem.js';
import { fingerprintOf, type TestCard, testCardOf } from './cards.js';
import { emit } from './events.js';
import { chargeInvoice } from './invoices.js';
import { emitInvoice, hasEnded, latestInvoiceOf, settle } from './lifecycle.js';
import {
  findObject,
  type PaymentIntent,
  type PaymentMethod,
  type SetupIntent,
  type Subscription,
  saveObject,
} from './objects.js';
import { chargeIntent, failIntent } from './payments.js';
import { completeSessionOf, intentOfSession } from './sessions.js';

export type IntentKind = 'setup_intent' | 'payment_intent';
export type Intent = SetupIntent | PaymentIntent;

export type Confirmation =
  | { readonly status: 'succeeded'; readonly paymentMethodId: string }
  | { readonly status: 'requires_action' }
  | { readonly status: 'failed'; readonly errorCode: string };

type CardBehavior = Pick<TestCard, 'fingerprint' | 'declineCode'> & { readonly number?: string };

export class Confirmations {
  constructor(private readonly ledger: Ledger) {}

  /** Presents a test card. A succeeded intent stays so. @throws Rejection `payments.not_found`, `sandbox.real_card_refused` */
  confirm(kind: IntentKind, id: string, cardNumber: string): Promise<Confirmation> {
    const card = testCardOf(cardNumber);
    return this.ledger.transact(async (tx) => {
      const intent = await findObject(tx, kind, id);
      if (!intent) throw new Rejection('payments.not_found');
      return present(tx, intent, card);
    });
  }

  /** Presents a test card on the page of a checkout session. @throws Rejection as {@link confirm}, also when it is not open */
  async submit(sessionId: string, cardNumber: string): Promise<{ confirmation: Confirmation; intent: Intent }> {
    const card = testCardOf(cardNumber);
    return this.ledger.transact(async (tx) => {
      const session = await findObject(tx, 'checkout.session', sessionId);
      if (session?.status !== 'open') throw new Rejection('payments.not_found');
      const intent = await intentOfSession(tx, session);
      return { confirmation: await present(tx, intent, card), intent };
    });
  }

  /** Result of the bank's page. No effect unless the intent waits for it. */
  authenticate(clientSecret: string, isApproved: boolean): Promise<Confirmation> {
    return this.ledger.transact(async (tx) => {
      const intent = await intentBySecret(tx, clientSecret);
      const final = finalConfirmationOf(intent);
      if (final) return final;
      if (!isApproved || intent.status !== 'requires_action') return fail(tx, intent, 'authentication_failed');
      return accept(tx, intent, { fingerprint: null, declineCode: null });
    });
  }

  /** Pays a subscription's open invoice with another card. @returns the reason of a failure, or null */
  payOpenInvoice(subscriptionId: string, cardNumber: string): Promise<string | null> {
    const card = testCardOf(cardNumber);
    return this.ledger.transact(async (tx) => {
      const subscription = await findObject(tx, 'subscription', subscriptionId);
      if (!subscription) throw new Rejection('subscriptions.not_found');
      if (hasEnded(subscription)) throw new Rejection('request.invalid', 'This subscription has ended');
      const isAccepted = card.presented === 'accepted' || card.presented === 'redirected';
      return isAccepted ? payWithNewCard(tx, subscription, card) : card.presented;
    });
  }
}

async function present(tx: Transaction, intent: Intent, card: TestCard): Promise<Confirmation> {
  const final = finalConfirmationOf(intent);
  if (final) return final;
  if (card.presented === 'redirected') {
    intent.status = 'requires_action';
    await saveObject(tx, intent, intent._nextAt);
    return { status: 'requires_action' };
  }
  return card.presented === 'accepted' ? accept(tx, intent, card) : fail(tx, intent, card.presented);
}

async function payWithNewCard(tx: Transaction, subscription: Subscription, card: CardBehavior): Promise<string | null> {
  const invoice = await latestInvoiceOf(tx, subscription);
  if (invoice?.status !== 'open') return null;
  const method = await saveMethod(tx, card, subscription.customer);
  const failure = await chargeInvoice(tx, invoice, method);
  if (failure !== null) {
    await emitInvoice(tx, 'payment_failed', invoice);
    return failure;
  }
  subscription.default_payment_method = method.id;
  await settle(tx, subscription, invoice);
  return null;
}

const saveMethod = (tx: Transaction, card: CardBehavior, customer: string | null): Promise<PaymentMethod> =>
  saveObject<PaymentMethod>(tx, {
    id: newId('pm'),
    object: 'payment_method',
    livemode: false,
    created: tx.now,
    type: 'card',
    customer,
    card: {
      brand: card.number?.startsWith('5') ? 'mastercard' : 'visa',
      last4: card.number?.slice(-4) ?? '3220',
      exp_month: 12,
      exp_year: new Date(tx.now * 1000).getUTCFullYear() + 3,
      fingerprint: fingerprintOf(card),
      country: 'US',
    },
    metadata: {},
    _declineCode: card.declineCode,
  });

export async function intentBySecret(reader: Reader, clientSecret: string): Promise<Intent> {
  const id = intentIdIn(clientSecret);
  const intent = (await findObject(reader, 'setup_intent', id)) ?? (await findObject(reader, 'payment_intent', id));
  if (!intent || !isSame(clientSecret, intent.client_secret)) throw new Rejection('payments.not_found');
  return intent;
}

async function accept(tx: Transaction, intent: Intent, card: CardBehavior): Promise<Confirmation> {
  // The card of a one-time payment isn't saved and can't be charged later.
  const method = await saveMethod(tx, card, intent.object === 'setup_intent' ? intent.customer : null);
  if (intent.object === 'payment_intent') {
    const failure = await chargeIntent(tx, intent, method);
    if (failure !== null) return { status: 'failed', errorCode: failure };
    await completeSessionOf(tx, intent);
    return { status: 'succeeded', paymentMethodId: method.id };
  }
  Object.assign(intent, { status: 'succeeded', payment_method: method.id, last_setup_error: null, _nextAt: null });
  await saveObject(tx, intent);
  await emit(tx, 'setup_intent.succeeded', intent);
  await completeSessionOf(tx, intent);
  return { status: 'succeeded', paymentMethodId: method.id };
}

async function fail(tx: Transaction, intent: Intent, errorCode: string): Promise<Confirmation> {
  await failIntent(tx, intent, errorCode);
  return { status: 'failed', errorCode };
}

/** Null unless the intent is final. */
function finalConfirmationOf({ status, payment_method: methodId }: Intent): Confirmation | null {
  if (status === 'succeeded' && methodId) return { status, paymentMethodId: methodId };
  return status === 'canceled' ? { status: 'failed', errorCode: 'intent_canceled' } : null;
}
