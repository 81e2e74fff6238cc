import type { Checkout, Price } from '@clearframe/contract';

/** The sandbox provider's pages, beside the API. */
const SANDBOX = '/api/sandbox/pages';

const address = (path: string, query: Readonly<Record<string, string>>): string =>
  `${SANDBOX}/${path}?${new URLSearchParams(query)}`;

/** Card entry; returns to `returnUrl`. */
const cardPage = (clientSecret: string, returnUrl: string): string =>
  address('checkout', { client_secret: clientSecret, return_url: returnUrl });

/** Wallet approval of a subscription. */
const walletSubscriptionPage = (planId: string, customId: string, returnUrl: string): string =>
  address('wallet/subscription', { plan_id: planId, custom_id: customId, return_url: returnUrl });

/** Wallet approval of a payment. */
const walletChargePage = (amountCents: number, currency: string, customId: string, returnUrl: string): string =>
  address('wallet/charge', {
    amount_cents: String(amountCents),
    currency,
    custom_id: customId,
    return_url: returnUrl,
  });

/** The payment page of an allowed checkout. */
export function paymentPageAddress(
  checkout: Checkout,
  price: Pick<Price, 'amountCents' | 'currency'>,
  returnUrl: string,
): string {
  switch (checkout.kind) {
    case 'redirect':
      return checkout.url;
    case 'elements':
      return cardPage(checkout.clientSecret, returnUrl);
    case 'paypal':
      return checkout.planId === null
        ? walletChargePage(price.amountCents, price.currency, checkout.customId, returnUrl)
        : walletSubscriptionPage(checkout.planId, checkout.customId, returnUrl);
  }
}
