import { expect, it } from 'vitest';
import { ApiClient } from '../../support/api-client.ts';
import { expectAccessible } from '../../support/browser/accessibility.ts';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { mailTo } from '../../support/payments/checkout.ts';
import { subscribe } from '../../support/payments/purchases.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { newEmail } from '../../support/sign-in.ts';

const product = sharedProduct();
const browser = useBrowser();

it('shows a receipt as its reader sees it, without JavaScript', async () => {
  const email = newEmail();
  await subscribe(await ApiClient.logIn(product.url, email), 'personal');
  const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled: false });
  await mailTo(page, product.url, email, /receipt/);
  await page.goto('/api/sandbox/mail');
  await page.getByLabel('To').fill(email);
  await page.getByRole('button', { name: 'Filter' }).click();
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /receipt/ })
    .click();
  const message = page.frameLocator('iframe');
  await message.getByRole('heading', { level: 1, name: 'Your Clearframe receipt' }).waitFor();
  await message.getByRole('rowheader', { name: 'Receipt number' }).waitFor();
  await page.getByRole('link', { name: '390 px' }).click();
  await expect.poll(async () => (await page.locator('iframe').boundingBox())?.width).toBeLessThanOrEqual(392);
  await message.getByRole('link', { name: 'Contact us' }).waitFor();
  await page.getByRole('link', { name: 'Text' }).click();
  await page.getByText('Receipt number: CF-').waitFor();
  expectNoErrors();
  await close();
});

it('is accessible in both color schemes, from 320 px on', async () => {
  const email = newEmail();
  await subscribe(await ApiClient.logIn(product.url, email), 'personal');
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { colorScheme });
    await mailTo(page, product.url, email, /receipt/);
    await page.goto(`/api/sandbox/mail?${new URLSearchParams({ to: email })}`);
    await page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor();
    expectNoErrors();
    // Last: Axe tries to run in the frame, which is not allowed to.
    await expectAccessible(page, [320, 390, 1280]);
    await close();
  }
});
