import {
  formatPrice,
  intervalOf,
  type PlanPrice,
  type SubscriptionInfo,
  subscriptionRoutes,
  type User,
} from '@clearframe/contract';
import { callApi } from '../../http/api.server';
import { orNull } from '../../http/problem.server';
import { dateFormatterFor } from '../../i18n/formatted-date';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { PURCHASES_ADDRESS } from '../../session/account-tabs';
import { type Exchange, tokenOf } from '../../session/visitor.server';
import { nextChargeOf } from '../account/account-view.server';
import { planPriceOfId } from '../settings/plan-prices.server';
import { receiptCookie } from './receipt-cookie.server';
import { CALENDAR_ADDRESS, type Success } from './success';

/** What a payment for one photo leads to: its download, and where the receipt was sent. */
export async function photoSuccess(user: User | null, exchange: Exchange): Promise<Success> {
  const t = await translatorFor(exchange.request, 'account');
  const email = user?.email ?? (await receiptCookie.read(exchange.request, exchange.context));
  return {
    title: t('welcome.photoTitle'),
    facts: [
      { kind: 'download', text: t('welcome.downloading'), plainText: t('welcome.download'), link: null },
      {
        kind: 'receipt',
        text: email ? t('welcome.receipt', { email }) : null,
        link: { to: PURCHASES_ADDRESS, text: t('welcome.receipts') },
      },
    ],
  };
}

/** What a new subscription leads to: its next charge, and where the mail about it was sent. */
export async function planSuccess(user: User, exchange: Exchange): Promise<Success> {
  const { request } = exchange;
  const [charge, language, t, tiers] = await Promise.all([
    readNextCharge(user, exchange),
    languageOf(request),
    translatorFor(request, 'account'),
    translatorFor(request, 'tiers'),
  ]);
  if (!charge) return { title: t('welcome.title'), facts: [] };
  const { isTrial, amount, price } = charge;
  const values = { price: amount, date: dateFormatterFor(language)(charge.at).text };
  const every = tiers('every', { ...intervalOf(price.period) });
  const receipts = { to: PURCHASES_ADDRESS, text: t('welcome.receipts') };
  return {
    title: t(isTrial ? 'welcome.trialTitle' : 'welcome.title'),
    facts: [
      {
        kind: 'charge',
        text: isTrial ? tiers('checkout.trialThen', { ...values, every }) : t('subscription.nextCharge', values),
        link: isTrial ? { to: CALENDAR_ADDRESS, text: t('welcome.calendar') } : null,
      },
      {
        kind: 'receipt',
        text: user.email && t(isTrial ? 'welcome.confirmation' : 'welcome.receipt', { email: user.email }),
        link: isTrial ? null : receipts,
      },
    ],
  };
}

export interface NextCharge {
  readonly subscription: SubscriptionInfo;
  readonly price: PlanPrice;
  /** With its currency: `$9.99`. */
  readonly amount: string;
  readonly isTrial: boolean;
  /** ISO 8601. */
  readonly at: string;
}

/** Null for plans that don't renew or are paid elsewhere, and while the provider is unavailable. */
export async function readNextCharge(user: User, { request, context }: Exchange): Promise<NextCharge | null> {
  const { subscriptionProvider: provider, priceId } = user.monetization;
  if (!provider || provider === 'mobile') return null;
  const caller = { request, context, token: await tokenOf(request, context) };
  const [subscription, price] = await Promise.all([
    orNull(callApi(subscriptionRoutes.getSubscription, { params: { provider }, query: {} }, caller), caller),
    orNull(planPriceOfId(priceId, context), caller),
  ]);
  const at = subscription && nextChargeOf(subscription);
  if (!at || !price) return null;
  const amount = formatPrice(price.amountCents, price.currency);
  return { subscription, price, amount, isTrial: subscription.status === 'trialing', at };
}
