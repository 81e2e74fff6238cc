/** `pnpm screenshots`: takes the pictures in docs/images. */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { launchBrowser, openPage } from './support/browser/browser.ts';
import { startProduct } from './support/product/product.ts';

const FOLDER = fileURLToPath(new URL('../docs/images/', import.meta.url));

/** What the home page shows as 'before'. */
const SAMPLE = fileURLToPath(new URL('../web/public/samples/astronaut.jpg', import.meta.url));

const product = await startProduct();
const browser = await launchBrowser();
try {
  await mkdir(FOLDER, { recursive: true });
  const { page } = await openPage(browser, product.url, {
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
  });
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: `${FOLDER}home.png` });
  await page.getByLabel('Choose a photo').setInputFiles(SAMPLE);
  await page.waitForURL(/\/result\?taskId=/);
  // Thumbnails of the looks.
  await page.locator('img.filter-picture').first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: `${FOLDER}result.png` });
} finally {
  await browser.close();
  await product.stop();
}
