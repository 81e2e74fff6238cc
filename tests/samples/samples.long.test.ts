import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { subscribe } from '../support/payments/purchases.ts';
import { sharedProduct } from '../support/product/shared-product.ts';
import { degrade, enhance, FOLDER, RESULT_QUALITY, SAMPLES } from './sample-pictures.ts';

/** Results of recipe versions 6 and 11 have 44 to 47 dB: the difference can't be seen. */
const SAME_DB = 40;

const product = sharedProduct();

it.each(SAMPLES)('the home page shows what the product makes of $name today', async (sample) => {
  const account = await ApiClient.logIn(product.url, `samples-${sample.name}@example.com`);
  await subscribe(account, 'business');
  const { picture } = await enhance(account, await degrade(sample));
  const today = await sharp(picture).jpeg({ quality: RESULT_QUALITY.jpeg, mozjpeg: true }).toBuffer();
  const published = await readFile(`${FOLDER}${sample.name}-after.jpg`);
  expect(await psnr(today, published), 'outdated: run pnpm samples').toBeGreaterThan(SAME_DB);
});

/** In dB, of the RGB values. */
async function psnr(one: Buffer, other: Buffer): Promise<number> {
  const [first, second] = await Promise.all([one, other].map((picture) => sharp(picture).raw().toBuffer()));
  if (!first || !second || first.length !== second.length) throw new Error('the pictures differ in size');
  const sum = first.reduce((total, value, index) => total + (value - (second[index] ?? 0)) ** 2, 0);
  return 10 * Math.log10(255 ** 2 / (sum / first.length));
}
