import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { type Product, productIn, startProduct } from './product.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What is needed to find the product that all files of a run share. */
    product: Omit<Product, 'pidOf' | 'stop'>;
  }
}

let running: Product | undefined;

/** Starts one product before the first file and ends it after the last: starting it takes longer than most files do. */
export async function setup(project: TestProject): Promise<void> {
  running = await startProduct();
  const { url, apiUrl, workerUrl, dataFolder } = running;
  project.provide('product', { url, apiUrl, workerUrl, dataFolder });
}

export async function teardown(): Promise<void> {
  await running?.stop();
}

/** The product that files share which neither set it up otherwise nor break it. */
export const sharedProduct = (): Omit<Product, 'stop'> => productIn(inject('product'));
