import { expect, it } from 'vitest';
import { ApiClient } from '../../support/api-client.ts';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { codeIn, mailTo } from '../../support/payments/checkout.ts';
import { subscribe } from '../../support/payments/purchases.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { newEmail } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

async function subscriber(): Promise<string> {
  const email = newEmail();
  await subscribe(await ApiClient.logIn(product.url, email), 'personal');
  return email;
}

it('a code by mail cancels a subscription, without login and without JavaScript', async () => {
  const email = await subscriber();
  const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
    javaScriptEnabled: false,
    expectedStatus: 403,
  });
  await page.goto('/subscription/cancel');
  await page.getByLabel(text('account:byMail.email')).fill(email);
  await page.getByRole('button', { name: text('account:byMail.send') }).click();
  const { text: body } = await mailTo(page, product.url, email, /cancel your subscription/);
  await page.getByLabel('Code').fill('not-the-code');
  await page.getByRole('button', { name: text('account:byMail.cancel.confirm') }).click();
  await page.getByRole('alert').getByText('That code is wrong').waitFor();
  await page.getByLabel('Code').fill(codeIn(body));
  await page.getByRole('button', { name: text('account:byMail.cancel.confirm') }).click();
  await page.getByRole('heading', { level: 1, name: text('account:cancel.done') }).waitFor();
  const account = await ApiClient.logIn(product.url, email);
  expect((await account.me()).monetization.isSubscribed).toBe(true);
  expectNoErrors();
  await close();
});

it('a code by mail opens the portal', async () => {
  const email = await subscriber();
  const { page, expectNoErrors, close } = await openPage(browser(), product.url);
  await page.goto('/subscription/portal');
  await page.getByLabel(text('account:byMail.email')).fill(email);
  await page.getByRole('button', { name: text('account:byMail.send') }).click();
  const { text: body } = await mailTo(page, product.url, email, /manage your subscription/);
  await page.getByLabel('Code').fill(codeIn(body));
  await page.getByRole('button', { name: text('account:byMail.portal.confirm') }).click();
  await page.waitForURL('**/api/sandbox/pages/portal/*');
  expectNoErrors();
  await close();
});

it('does not reveal whether an address has an account', async () => {
  const { page, expectNoErrors, close } = await openPage(browser(), product.url);
  await page.goto('/subscription/cancel');
  await page.getByLabel(text('account:byMail.email')).fill('unknown@example.com');
  await page.getByRole('button', { name: text('account:byMail.send') }).click();
  await page.getByText('If unknown@example.com has a subscription').waitFor();
  expectNoErrors();
  await close();
});
