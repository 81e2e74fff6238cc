import type { BillingAccount, GiftRedemption } from './billing-account.js';
import { businessEndOf } from './entitlements.js';
import type { BillingEvent } from './events.js';
import { reduceExport } from './reduce-export.js';
import { reducePayment } from './reduce-payment.js';
import { reduceSubscription } from './reduce-subscription.js';

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
