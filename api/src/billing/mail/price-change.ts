import {
  FALLBACK_LOCALE,
  formatPrice,
  type Locale,
  type PlanPrice,
  type SubscriptionStatus,
} from '@clearframe/contract';
import type { EntityManager } from 'typeorm';
import type { Mailer } from '../../mail/mailer.js';
import { dateIn, nameOfPrice } from './price-names.js';

/** At least; spec 1, section 9. */
export const PRICE_NOTICE_DAYS_BEFORE = 30;

/** Subscriptions in these states are charged for again. */
const RENEWING: readonly SubscriptionStatus[] = ['trialing', 'active', 'past_due', 'paused', 'unpaid'];

/** What a plan costs, what it will cost, and from when on. */
export interface PriceChange {
  readonly from: PlanPrice;
  readonly to: PlanPrice;
  readonly on: Date;
  /** Where the product is, for the way to the account. */
  readonly publicUrl: string;
}

/** Writes to everybody who pays a price and goes on doing so, once. @returns how many they are */
export async function announcePriceChange(
  manager: EntityManager,
  mailer: Mailer,
  { from, to, on, publicUrl }: PriceChange,
): Promise<number> {
  const payers: { id: string; user_id: string; email: string; language: Locale | null }[] = await manager.query(
    `SELECT s.id, s.user_id, u.email, u.language FROM subscriptions s JOIN users u ON u.id = s.user_id
     WHERE s.price_id = $1 AND s.status = ANY ($2) AND NOT s.cancel_at_period_end AND s.superseded_at IS NULL
       AND u.email IS NOT NULL`,
    [from.id, RENEWING],
  );
  for (const { id, user_id: userId, email, language } of payers) {
    const spoken = language ?? FALLBACK_LOCALE;
    const values = {
      plan: nameOfPrice(from.id, spoken),
      date: dateIn(spoken, on),
      oldAmount: formatPrice(from.amountCents, from.currency),
      newAmount: formatPrice(to.amountCents, to.currency),
      url: `${publicUrl}/account/subscription`,
    };
    const key = `priceChange:${id}:${to.id}:${on.toISOString()}`;
    await mailer.send(manager, { key, userId, to: email, kind: 'priceChange', language: spoken, values });
  }
  return payers.length;
}
