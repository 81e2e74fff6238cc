import type { PaymentSnapshot } from '../providers/payment-provider.js';
import {
  addEntry,
  type BillingAccount,
  type BillingEvent,
  balanceOf,
  type CreditEntry,
  type ExportUse,
  type GiftRedemption,
  isUnlocked,
  type Payment,
  replaced,
} from './billing-account.js';
import { billingStateOf, businessEndOf, entitlementsOf } from './entitlements.js';
import { reduceSubscription } from './reduce-subscription.js';

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

const grant = (account: BillingAccount, { id, exports, taskId }: Payment, at: Date): BillingAccount =>
  addEntry(account, { id: `purchase:${id}`, amount: exports, reason: 'purchase', taskId, paymentId: id, at });

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
  const { id: paymentId, taskId } = now;
  const addRevocation = (amount: number, reason: CreditEntry['reason']): BillingAccount =>
    addEntry(account, { id: `${reason}:${paymentId}:${entries.length}`, amount, reason, taskId, paymentId, at });
  if (revokedNow > revokedBefore) {
    const amount = Math.min(revokedNow - revokedBefore, balanceOf(account, now.taskId));
    return amount > 0 ? addRevocation(-amount, now.isDisputed ? 'dispute' : 'refund') : account;
  }
  const net = -entries.reduce((sum, { amount }) => sum + amount, 0);
  const restored = Math.min(revokedBefore - revokedNow, net);
  return restored > 0 ? addRevocation(restored, 'settled') : account;
}

function reducePayment(account: BillingAccount, event: PaymentEvent): BillingAccount {
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

type ExportEvent = Extract<BillingEvent, { kind: `export_${string}` }>;
type Reserved = Extract<ExportEvent, { kind: 'export_reserved' }>;

type ExportSource =
  | { readonly from: 'unlimited' }
  | { readonly from: 'period'; readonly subscriptionId: string; readonly periodStart: Date }
  | { readonly from: 'credit'; readonly taskId: string | null };

/** The current period, then a credit for this task, then any other; null when none is left. `isFree`: set by staff. */
export function exportSourceOf(
  account: BillingAccount,
  { taskId, isFree, at }: Pick<Reserved, 'taskId' | 'isFree' | 'at'>,
): ExportSource | null {
  const { exports, exportsUsed, running } = entitlementsOf(billingStateOf(account), at);
  if (isFree || exports === null) return { from: 'unlimited' };
  if (running?.currentPeriodStart && exportsUsed < exports) {
    return { from: 'period', subscriptionId: running.id, periodStart: running.currentPeriodStart };
  }
  for (const pool of [taskId, null]) if (balanceOf(account, pool) > 0) return { from: 'credit', taskId: pool };
  return null;
}

function applyReservation(account: BillingAccount, event: Reserved): BillingAccount {
  const { id, taskId, at } = event;
  const source = exportSourceOf(account, event);
  if (!source || account.exports.some((use) => use.taskId === taskId)) return account;
  const isPeriod = source.from === 'period';
  const use: ExportUse = {
    taskId,
    id,
    userId: account.userId,
    source: source.from,
    subscriptionId: isPeriod ? source.subscriptionId : null,
    periodStart: isPeriod ? source.periodStart : null,
    isKept: false,
    createdAt: at,
  };
  const added = { ...account, exports: [...account.exports, use] };
  if (source.from !== 'credit') return added;
  return addEntry(added, { id: `export:${id}`, amount: -1, reason: 'export', taskId: source.taskId, at });
}

function releaseExport(account: BillingAccount, use: ExportUse, at: Date): BillingAccount {
  if (use.isKept) return account;
  const freed = { ...account, exports: account.exports.filter((other) => other !== use) };
  const spent = account.credits.find(({ id }) => id === `export:${use.id}`);
  if (!spent) return freed;
  return addEntry(freed, { id: `return:${use.id}`, amount: 1, reason: 'return', taskId: spent.taskId, at });
}

function reduceExport(account: BillingAccount, event: ExportEvent): BillingAccount {
  if (event.kind === 'export_reserved') return applyReservation(account, event);
  const use = account.exports.find(({ taskId }) => taskId === event.taskId);
  if (!use) return account;
  if (event.kind === 'export_released') return releaseExport(account, use, event.at);
  return use.isKept ? account : { ...account, exports: replaced(account.exports, use, { ...use, isKept: true }) };
}

type Redeemed = Extract<BillingEvent, { kind: 'gift_redeemed' }>;

const remainingMs = ({ startsAt, expiresAt }: GiftRedemption, at: Date): number =>
  Math.max(0, expiresAt.getTime() - Math.max(startsAt.getTime(), at.getTime()));

const byStart = (a: GiftRedemption, b: GiftRedemption): number =>
  a.startsAt.getTime() - b.startsAt.getTime() || a.createdAt.getTime() - b.createdAt.getTime();

function redeemGift(account: BillingAccount, { id, codeId, durationMs, at }: Redeemed): BillingAccount {
  if (account.gifts.some((gift) => gift.codeId === codeId)) return account;
  const gift: GiftRedemption = {
    id,
    userId: account.userId,
    codeId,
    startsAt: at,
    expiresAt: new Date(at.getTime() + durationMs),
    createdAt: at,
  };
  return { ...account, gifts: [...account.gifts, gift] };
}

/**
 * Schedules the remaining time of gifts one after the other, from now or, if later, the end of a running business
 * subscription, during which gift time would be lost. Repeated when the subscription renews, ends early or is moved by
 * a login. Idempotent.
 */
function scheduleGifts(account: BillingAccount, at: Date): BillingAccount {
  const open = account.gifts.filter((gift) => remainingMs(gift, at) > 0).sort(byStart);
  let from = Math.max(at.getTime(), businessEndOf(account.subscriptions, at)?.getTime() ?? 0);
  const moved = new Map<GiftRedemption, GiftRedemption>();
  for (const gift of open) {
    const left = remainingMs(gift, at);
    const begins = Math.max(gift.startsAt.getTime(), at.getTime());
    if (begins !== from) moved.set(gift, { ...gift, startsAt: new Date(from), expiresAt: new Date(from + left) });
    from += left;
  }
  return moved.size === 0 ? account : { ...account, gifts: account.gifts.map((gift) => moved.get(gift) ?? gift) };
}

const RESCHEDULES_GIFTS: readonly BillingEvent['kind'][] = [
  'gift_redeemed',
  'guest_merged',
  'mobile_linked',
  'subscription_synced',
];

/** Applies an event. Pure and idempotent: a repeated event or an older reading changes nothing. */
export function reduce(account: BillingAccount, event: BillingEvent): BillingAccount {
  const next = apply(account, event);
  return RESCHEDULES_GIFTS.includes(event.kind) && 'at' in event ? scheduleGifts(next, event.at) : next;
}

function apply(account: BillingAccount, event: BillingEvent): BillingAccount {
  switch (event.kind) {
    case 'payment_ordered':
    case 'payment_announced':
    case 'payment_synced':
      return reducePayment(account, event);
    case 'subscription_ordered':
    case 'subscription_reordered':
    case 'subscription_synced':
    case 'subscription_abandoned':
    case 'upgrade_previewed':
    case 'mobile_linked':
      return reduceSubscription(account, event);
    case 'export_reserved':
    case 'export_committed':
    case 'export_released':
      return reduceExport(account, event);
    case 'gift_redeemed':
      return redeemGift(account, event);
    case 'guest_merged':
      return account;
  }
}
