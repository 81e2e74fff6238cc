import type { BrowserServer } from 'playwright-core';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { launchSharedBrowser } from '../browser/browser.ts';
import { type Product, productIn, startProduct } from './product.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What is needed to find the product that all files of a run share. */
    product: Omit<Product, 'pidOf' | 'stop'>;
    /** The address of the run's browser. */
    browserEndpoint: string;
  }
}

let product: Product | undefined;
let browser: BrowserServer | undefined;

/** Nothing is sold in North Korea; visitors name their country by the header `x-sandbox-country`. */
const ENVIRONMENT = { BLOCKED_COUNTRIES: 'KP' };

/** Starts one product and one browser before the first file: starting them takes longer than most files do. */
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

/** The product that files share which neither set it up otherwise nor break it. */
export const sharedProduct = (): Omit<Product, 'stop'> => productIn(inject('product'));
