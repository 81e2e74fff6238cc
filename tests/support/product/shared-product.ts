import { inject } from 'vitest';
import { type Product, productIn } from './product.ts';

declare module 'vitest' {
  interface ProvidedContext {
    product: Omit<Product, 'pidOf' | 'stop'>;
  }
}

/**
 * Purchases are blocked in North Korea, the service in Iran; visitors set their country by the header `x-sandbox-country`. Payments are made on
 * the provider's pages, with and without JavaScript; e2e/payments/payment-forms.ts tests the forms in the checkout.
 */
export const SHARED_ENVIRONMENT = {
  BLOCKED_COUNTRIES: 'KP',
  BLOCKED_SERVICE_COUNTRIES: 'IR',
  SANDBOX_PAYMENT_FORMS: 'false',
} as const;

/** For files that need no other settings and don't break it. */
export const sharedProduct = (): Omit<Product, 'stop'> => productIn(inject('product'));
