import type { PaymentSnapshot } from '../providers/payment-provider.js';
import {
  addEntry,
  type BillingAccount,
  balanceOf,
  type CreditEntry,
  isUnlocked,
  type Payment,
  replaced,
} from './billing-account.js';
import type { BillingEvent } from './events.js';

type PaymentEvent = Extract<BillingEvent, { kind: `payment_${string}` }>;
type Synced = Extract<PaymentEvent, { kind: 'payment_synced' }>;

/** A mismatch grants nothing. Only cards have customers; at the wallet, the reference is a checkout's. */
export const isAsOrdered = (payment: Payment, snapshot: PaymentSnapshot): boolean =>
  snapshot.provider === payment.provider &&
  (payment.providerId === null || payment.providerId === snapshot.id) &&
  snapshot.amountCents === payment.amountCents &&
  snapshot.currency === payment.currency &&
  snapshot.customerId === payment.customerId &&
  (snapshot.customerId === null || snapshot.reference === payment.id);

/** Credits to revoke: all for the full amount or a dispute, else in proportion, rounded down. */
function revokedCredits({ exports, amountCents }: Payment, refundedCents: number, isDisputed: boolean): number {
  return isDisputed ? exports : Math.floor((exports * refundedCents) / amountCents);
}

/** An `approved` order isn't paid. A succeeded payment stays so: refunds are counted separately. */
function statusAfter(payment: Payment, { status }: PaymentSnapshot): Payment['status'] {
  if (payment.status === 'succeeded') return 'succeeded';
  return status === 'approved' ? 'pending' : status;
}

function applySync(account: BillingAccount, payment: Payment, { snapshot, readNo, at }: Synced): BillingAccount {
  if (readNo <= payment.readNo || !isAsOrdered(payment, snapshot)) return account;
  const status = statusAfter(payment, snapshot);
  const isPaid = status === 'succeeded';
  const isNew = isPaid && payment.status !== 'succeeded';
  const next: Payment = {
    ...payment,
    providerId: snapshot.id,
    status,
    refundedCents: isPaid ? Math.min(snapshot.refundedCents, payment.amountCents) : 0,
    isDisputed: isPaid && snapshot.isDisputed,
    isDuplicate: isNew ? payment.taskId !== null && isUnlocked(account, payment.taskId) : payment.isDuplicate,
    payerEmail: payment.payerEmail ?? snapshot.payerEmail,
    readNo,
    settledAt: payment.settledAt ?? (isPaid ? at : null),
  };
  const changed = { ...account, payments: replaced(account.payments, payment, next) };
  if (!isPaid || next.isDuplicate) return changed;
  return revoke(grant(changed, next, at), payment, next, at);
}

function grant(account: BillingAccount, payment: Payment, at: Date): BillingAccount {
  return addEntry(account, {
    id: `purchase:${payment.id}`,
    userId: account.userId,
    amount: payment.exports,
    reason: 'purchase',
    taskId: payment.taskId,
    paymentId: payment.id,
    createdAt: at,
  });
}

/**
 * Revokes at most the balance; a won dispute restores what it revoked. Only the change since the last reading counts:
 * credits spent by then aren't revoked from a later purchase.
 */
function revoke(account: BillingAccount, before: Payment, now: Payment, at: Date): BillingAccount {
  const revokedBefore = revokedCredits(before, before.refundedCents, before.isDisputed);
  const revokedNow = revokedCredits(now, now.refundedCents, now.isDisputed);
  if (revokedBefore === revokedNow) return account;
  const entries = account.credits.filter(
    ({ paymentId, reason }) => paymentId === now.id && reason !== 'purchase' && reason !== 'export',
  );
  const addRevocation = (amount: number, reason: CreditEntry['reason']): BillingAccount =>
    addEntry(account, {
      id: `${reason}:${now.id}:${entries.length}`,
      userId: account.userId,
      amount,
      reason,
      taskId: now.taskId,
      paymentId: now.id,
      createdAt: at,
    });
  if (revokedNow > revokedBefore) {
    const amount = Math.min(revokedNow - revokedBefore, balanceOf(account, now.taskId));
    return amount > 0 ? addRevocation(-amount, now.isDisputed ? 'dispute' : 'refund') : account;
  }
  const net = -entries.reduce((sum, { amount }) => sum + amount, 0);
  const restored = Math.min(revokedBefore - revokedNow, net);
  return restored > 0 ? addRevocation(restored, 'settled') : account;
}

export function reducePayment(account: BillingAccount, event: PaymentEvent): BillingAccount {
  if (event.kind === 'payment_ordered') {
    const { payment } = event;
    const isKnown = account.payments.some(({ id }) => id === payment.id);
    return isKnown ? account : { ...account, payments: [...account.payments, payment] };
  }
  const payment = account.payments.find(({ id }) => id === event.paymentId);
  if (!payment) return account;
  if (event.kind === 'payment_synced') return applySync(account, payment, event);
  if (payment.providerId !== null) return account;
  return { ...account, payments: replaced(account.payments, payment, { ...payment, providerId: event.providerId }) };
}
