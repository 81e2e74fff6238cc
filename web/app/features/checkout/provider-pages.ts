/** Addresses of the payment provider's own pages, relative to ours: the sandbox's, which live beside the backend. */
const SANDBOX = '/api/sandbox/pages';

const address = (path: string, query: Readonly<Record<string, string>>): string =>
  `${SANDBOX}/${path}?${new URLSearchParams(query)}`;

/** Where a card is entered; the payer comes back to `returnUrl`. */
export const cardPage = (clientSecret: string, returnUrl: string): string =>
  address('checkout', { client_secret: clientSecret, return_url: returnUrl });

/** Where a wallet's owner agrees to a subscription. */
export const walletSubscriptionPage = (planId: string, customId: string, returnUrl: string): string =>
  address('wallet/subscription', { plan_id: planId, custom_id: customId, return_url: returnUrl });

/** Where a wallet's owner agrees to a payment. */
export const walletChargePage = (amountCents: number, currency: string, customId: string, returnUrl: string): string =>
  address('wallet/charge', {
    amount_cents: String(amountCents),
    currency,
    custom_id: customId,
    return_url: returnUrl,
  });
