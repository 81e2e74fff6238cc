import type { BrowserServer } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { type Product, startProduct } from '../product/product.ts';
import { SHARED_ENVIRONMENT } from '../product/shared-product.ts';
import { launchSharedBrowser } from './browser.ts';

declare module 'vitest' {
  interface ProvidedContext {
    browserEndpoint: string;
  }
}

let product: Product | undefined;
let browser: BrowserServer | undefined;

/** Starting a product and a browser takes longer than most files. */
export async function setup(project: TestProject): Promise<void> {
  [product, browser] = await Promise.all([startProduct(SHARED_ENVIRONMENT), launchSharedBrowser()]);
  const { url, apiUrl, workerUrl, dataFolder } = product;
  project.provide('product', { url, apiUrl, workerUrl, dataFolder });
  project.provide('browserEndpoint', browser.wsEndpoint());
}

export async function teardown(): Promise<void> {
  await browser?.close();
  await product?.stop();
}
