import { FALLBACK_LOCALE, formatPrice, type PlanPrice, type SubscriptionStatus } from '@clearframe/contract';
import type { EntityManager } from 'typeorm';
import type { Mailer } from '../mail/mailer.js';
import { UserRepository } from '../users/user.repository.js';
import { BillingMailRepository } from './billing-mail.repository.js';
import { dateIn, nameOfPrice } from './price-names.js';

/** Minimum (spec 1, section 9). */
export const PRICE_NOTICE_DAYS_BEFORE = 30;

const RENEWING: readonly SubscriptionStatus[] = ['trialing', 'active', 'past_due', 'paused', 'unpaid'];

export interface PriceChange {
  readonly from: PlanPrice;
  readonly to: PlanPrice;
  readonly on: Date;
  readonly publicUrl: string;
}

/** Mails every subscriber who will renew at the price, once. @returns their number */
export async function announcePriceChange(
  manager: EntityManager,
  mailer: Mailer,
  { from, to, on, publicUrl }: PriceChange,
): Promise<number> {
  const subscribers = await new BillingMailRepository().subscribersOf(manager, from.id, RENEWING);
  const ids = subscribers.map(({ userId }) => userId);
  const addressees = await new UserRepository(manager.connection).listAddressees(manager, ids);
  const byId = new Map(addressees.map((addressee) => [addressee.id, addressee]));
  let written = 0;
  for (const { subscriptionId, userId } of subscribers) {
    const user = byId.get(userId);
    if (!user) continue;
    const locale = user.language ?? FALLBACK_LOCALE;
    const values = {
      plan: nameOfPrice(from.id, locale),
      date: dateIn(locale, on),
      oldAmount: formatPrice(from.amountCents, from.currency),
      newAmount: formatPrice(to.amountCents, to.currency),
      url: `${publicUrl}/account/subscription`,
    };
    const key = `priceChange:${subscriptionId}:${to.id}:${on.toISOString()}`;
    await mailer.send(manager, { key, userId, to: user.email, kind: 'priceChange', language: locale, values });
    written += 1;
  }
  return written;
}
