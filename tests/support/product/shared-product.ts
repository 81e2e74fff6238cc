import type { BrowserServer } from 'playwright-core';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { launchSharedBrowser } from '../browser/browser.ts';
import { type Product, productIn, startProduct } from './product.ts';

declare module 'vitest' {
  interface ProvidedContext {
    product: Omit<Product, 'pidOf' | 'stop'>;
    browserEndpoint: string;
  }
}

let product: Product | undefined;
let browser: BrowserServer | undefined;

/**
 * Purchases are blocked in North Korea, the service in Iran; visitors set their country by the header `x-sandbox-country`. Payments are made on
 * the provider's pages, with and without JavaScript; e2e/payments/payment-forms.test.ts tests the forms in the checkout.
 */
const ENVIRONMENT = { BLOCKED_COUNTRIES: 'KP', BLOCKED_SERVICE_COUNTRIES: 'IR', SANDBOX_PAYMENT_FORMS: 'false' };

/** Starting a product and a browser takes longer than most files. */
export async function setup(project: TestProject): Promise<void> {
  [product, browser] = await Promise.all([startProduct(ENVIRONMENT), launchSharedBrowser()]);
  const { url, apiUrl, workerUrl, dataFolder } = product;
  project.provide('product', { url, apiUrl, workerUrl, dataFolder });
  project.provide('browserEndpoint', browser.wsEndpoint());
}

export async function teardown(): Promise<void> {
  await browser?.close();
  await product?.stop();
}

/** For files that need no other settings and don't break it. */
export const sharedProduct = (): Omit<Product, 'stop'> => productIn(inject('product'));
