import { paymentRoutes, subscriptionRoutes } from '@clearframe/contract';
import type { Page } from 'playwright-core';
import type { ApiClient } from '../api-client.ts';
import { text } from '../texts.ts';

const PACKS = { 3: 'three_exports', 10: 'ten_exports', 20: 'twenty_exports' } as const;
const GOOD_CARD = '4242424242424242';

const priceId = (name: string): string => `sbx_price_${name}_usd`;
const idOf = (clientSecret: string): string => clientSecret.split('_secret_')[0] ?? '';

export async function buyDownloads(account: ApiClient, downloads: keyof typeof PACKS): Promise<void> {
  const { clientSecret, paymentId } = await account.call(paymentRoutes.createPaymentIntent, {
    body: { priceId: priceId(PACKS[downloads]), unlockedExports: downloads },
  });
  await account.postSandbox(`payments/payment_intents/${idOf(clientSecret)}/confirm`, { card_number: GOOD_CARD });
  await account.call(paymentRoutes.confirmPayment, { params: { paymentId } });
}

export async function subscribe(account: ApiClient, plan: 'personal' | 'business'): Promise<void> {
  const { clientSecret } = await account.call(paymentRoutes.createSetupIntent, { body: {} });
  const { payment_method_id: paymentMethodId } = await account.postSandbox<{ payment_method_id: string }>(
    `payments/setup_intents/${idOf(clientSecret)}/confirm`,
    { card_number: GOOD_CARD },
  );
  await account.call(subscriptionRoutes.subscribeByCard, {
    body: { paymentMethodId, priceId: priceId(`${plan}_weekly`) },
  });
}

/** Closes the offer of a key, which follows a purchase of Business and covers the account. */
export async function declineKey(page: Page): Promise<void> {
  const offer = page.getByRole('dialog', { name: text('account:pluginKey.offer.title') });
  await offer.getByRole('button', { name: text('account:pluginKey.offer.later'), exact: true }).click();
  await offer.waitFor({ state: 'detached' });
  await page.waitForURL(({ pathname }) => pathname !== '/account/plugin-key/offer');
}
