/** `pnpm screenshots`: takes the pictures in docs/images, of the product at PRODUCT_URL or its own. */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { ApiClient } from './support/api-client.ts';
import { launchBrowser, openPage } from './support/browser/browser.ts';
import { signIn } from './support/members.ts';
import { subscribe } from './support/payments/purchases.ts';
import { startProduct } from './support/product/product.ts';

const FOLDER = fileURLToPath(new URL('../docs/images/', import.meta.url));

/** What the home page shows as 'before'. */
const SAMPLE = fileURLToPath(new URL('../web/public/samples/astronaut.jpg', import.meta.url));

const EMAIL = 'grace@example.com';

/** Reduced to 256 colors: a quarter of the size, without a visible difference. */
async function save(page: Page, name: string): Promise<void> {
  await page.waitForFunction(async () => {
    const pictures = [...document.images].filter(({ loading }) => loading !== 'lazy');
    await Promise.all([document.fonts.ready, ...pictures.map((picture) => picture.decode())]);
    return true;
  });
  const picture = await page.screenshot();
  await sharp(picture).png({ palette: true, quality: 95 }).toFile(`${FOLDER}${name}.png`);
}

const product = process.env.PRODUCT_URL ? null : await startProduct();
const origin = product?.url ?? process.env.PRODUCT_URL ?? '';
const browser = await launchBrowser();
try {
  await mkdir(FOLDER, { recursive: true });
  const { page } = await openPage(browser, origin, {
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
  });
  await page.goto('/');
  await save(page, 'home');
  // A customer's result: without watermark and locks.
  await signIn(page, origin, EMAIL);
  await subscribe(await ApiClient.logIn(origin, EMAIL), 'business');
  await page.reload();
  await page.getByLabel('Choose photos').setInputFiles(SAMPLE);
  await page.waitForURL(/\/result\?taskId=/);
  await page.getByRole('tab', { name: 'Color' }).click();
  await page.locator('[role=tabpanel]:visible img.filter-picture').nth(7).waitFor();
  await page
    .locator('[role=tabpanel]:visible img.filter-picture')
    .evaluateAll((pictures) => Promise.all(pictures.map((picture) => (picture as HTMLImageElement).decode())));
  await save(page, 'result');
} finally {
  await browser.close();
  await product?.stop();
}
