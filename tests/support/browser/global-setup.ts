import type { TestProject } from 'vitest/node';
import { type Product, startProduct } from '../product/product.ts';
import { SHARED_ENVIRONMENT } from '../product/shared-product.ts';

let product: Product | undefined;

/** Starting a product takes longer than most files. */
export async function setup(project: TestProject): Promise<void> {
  product = await startProduct(SHARED_ENVIRONMENT);
  const { url, apiUrl, workerUrl, dataFolder } = product;
  project.provide('product', { url, apiUrl, workerUrl, dataFolder });
}

export async function teardown(): Promise<void> {
  await product?.stop();
}
