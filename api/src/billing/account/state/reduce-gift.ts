import type { BillingAccount, GiftRedemption } from './billing-account.js';
import { businessEndOf } from './entitlements.js';
import type { BillingEvent } from './events.js';

type Redeemed = Extract<BillingEvent, { kind: 'gift_redeemed' }>;

const lasts = ({ startsAt, expiresAt }: GiftRedemption, at: Date): number =>
  Math.max(0, expiresAt.getTime() - Math.max(startsAt.getTime(), at.getTime()));

const byStart = (a: GiftRedemption, b: GiftRedemption): number =>
  a.startsAt.getTime() - b.startsAt.getTime() || a.createdAt.getTime() - b.createdAt.getTime();

/** Adds the time of a code; {@link scheduleGifts} decides when it begins. A code counts once for each user. */
export function redeemGift(account: BillingAccount, { id, codeId, durationMs, at }: Redeemed): BillingAccount {
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
 * Lays the gifts that still have time end to end, from the later of now and the end of a running business
 * subscription: a gift gives business, so its time would be lost beside one. When the subscription renews, ends early or
 * is taken over by a login, what is left of the gifts moves with it. Safe to repeat.
 */
export function scheduleGifts(account: BillingAccount, at: Date): BillingAccount {
  const open = account.gifts.filter((gift) => lasts(gift, at) > 0).sort(byStart);
  let from = Math.max(at.getTime(), businessEndOf(account.subscriptions, at)?.getTime() ?? 0);
  const moved = new Map<GiftRedemption, GiftRedemption>();
  for (const gift of open) {
    const left = lasts(gift, at);
    const begins = Math.max(gift.startsAt.getTime(), at.getTime());
    if (begins !== from) moved.set(gift, { ...gift, startsAt: new Date(from), expiresAt: new Date(from + left) });
    from += left;
  }
  return moved.size === 0 ? account : { ...account, gifts: account.gifts.map((gift) => moved.get(gift) ?? gift) };
}
