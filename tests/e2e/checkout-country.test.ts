import { expect, it } from 'vitest';
import { openPage, useBrowser } from '../support/browser.ts';
import { sharedProduct } from '../support/shared-product.ts';
import { newEmail } from '../support/sign-in.ts';
import { signIn } from '../support/signed-in.ts';

const product = sharedProduct();
const browser = useBrowser();

it.each([true, false])('where nothing is sold, a page says so (JavaScript: %s)', async (javaScriptEnabled) => {
  const extraHTTPHeaders = { 'x-sandbox-country': 'KP' };
  const { page, expectQuiet, close } = await openPage(browser(), product.url, { javaScriptEnabled, extraHTTPHeaders });
  await signIn(page, product.url, newEmail());
  await page.goto('/upgrade');
  await page.getByRole('link', { name: 'Buy: 3 downloads' }).click();
  await page.getByRole('button', { name: 'Pay by card' }).click();
  await page.waitForURL('**/unavailable');
  await page.getByText('Web subscriptions and payments are not available').waitFor();
  expect(await page.getByRole('link', { name: 'Back to the start' }).count()).toBe(1);
  expectQuiet();
  await close();
});
