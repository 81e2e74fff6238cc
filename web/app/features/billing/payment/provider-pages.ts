import type { Checkout, Price } from '@clearframe/contract';

/** Addresses of the payment provider's own pages, relative to ours: the sandbox's, which live beside the backend. */
const SANDBOX = '/api/sandbox/pages';

const address = (path: string, query: Readonly<Record<string, string>>): string =>
  `${SANDBOX}/${path}?${new URLSearchParams(query)}`;

/** Where a card is entered; the payer comes back to `returnUrl`. */
const cardPage = (clientSecret: string, returnUrl: string): string =>
  address('checkout', { client_secret: clientSecret, return_url: returnUrl });

/** Where a wallet's owner agrees to a subscription. */
const walletSubscriptionPage = (planId: string, customId: string, returnUrl: string): string =>
  address('wallet/subscription', { plan_id: planId, custom_id: customId, return_url: returnUrl });

/** Where a wallet's owner agrees to a payment. */
const walletChargePage = (amountCents: number, currency: string, customId: string, returnUrl: string): string =>
  address('wallet/charge', {
    amount_cents: String(amountCents),
    currency,
    custom_id: customId,
    return_url: returnUrl,
  });

/** Where a payment that the API allows continues. */
export function payAddress(
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
