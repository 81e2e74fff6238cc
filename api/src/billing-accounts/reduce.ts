import type { BillingAccount } from './billing-account.js';
import type { BillingEvent } from './events.js';
import { reduceExport } from './reduce-export.js';
import { redeemGift, scheduleGifts } from './reduce-gift.js';
import { reducePayment } from './reduce-payment.js';
import { reduceSubscription } from './reduce-subscription.js';

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
