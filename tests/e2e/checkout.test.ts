import { readFile } from 'node:fs/promises';
import { type User, userRoutes } from '@clearframe/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, openPage } from '../support/browser.ts';
import { Guest } from '../support/guest.ts';
import { answer, buyPack, choosePlan, enhancePicture, payWith } from '../support/paying.ts';
import { sharedProduct } from '../support/shared-product.ts';
import { newEmail } from '../support/sign-in.ts';
import { signIn } from '../support/signed-in.ts';

const product = sharedProduct();
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
});

/** A page of somebody with an account of their own, and who they are to the backend. */
async function openMember(options: Parameters<typeof openPage>[2] = {}) {
  const email = newEmail();
  const watched = await openPage(browser, product.url, options);
  await signIn(watched.page, product.url, email);
  const account = await Guest.logIn(product.url, email);
  return { ...watched, email, me: (): Promise<User> => account.call(userRoutes.getMe, {}) };
}

const pathOfPage = (page: Page): string => new URL(page.url()).pathname;

describe.each([true, false])('with JavaScript: %s', (javaScriptEnabled) => {
  it('a guest pays for one download, and has it without watermark', async () => {
    const { page, expectQuiet, close } = await openPage(browser, product.url, { javaScriptEnabled });
    await enhancePicture(page);
    await page.getByText('carries a watermark').waitFor();
    await page.getByRole('link', { name: 'Pay $4.99' }).click();
    await page.getByText('No login required').waitFor();
    const saving = javaScriptEnabled ? page.waitForEvent('download') : null;
    await page.getByRole('button', { name: 'Pay by card' }).click();
    await payWith(page, 'good');
    await page.waitForURL(/\/result\?taskId=/);
    await page.getByText('Thank you! Your photo is yours').last().waitFor();
    const [saved] = await Promise.all([
      saving ?? page.waitForEvent('download'),
      javaScriptEnabled ? null : page.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect((await readFile(await saved.path())).length).toBeGreaterThan(500);
    expect(await page.getByText('carries a watermark').count()).toBe(0);
    // What is paid for is not sold again, and a reload downloads nothing again.
    expect(await page.getByRole('link', { name: 'Pay $4.99' }).count()).toBe(0);
    await page.reload();
    await page.getByRole('link', { name: 'Download' }).waitFor();
    expectQuiet();
    await close();
  });

  it('somebody buys a pack and spends one of it', async () => {
    const { page, me, expectQuiet, close } = await openMember({ javaScriptEnabled });
    await buyPack(page, 3);
    await page.waitForURL('**/account/limits');
    await page.getByText('3 left').waitFor();
    expect((await me()).availableCredits).toBe(3);

    await enhancePicture(page);
    await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download (uses 1 of 3)' }).click(),
    ]);
    if (!javaScriptEnabled) await page.reload();
    await page.getByRole('link', { name: 'Download' }).waitFor();
    expect(await page.getByText('carries a watermark').count()).toBe(0);
    expect((await me()).availableCredits).toBe(2);
    expectQuiet();
    await close();
  });

  it('somebody subscribes with a free trial, cancels it in two clicks and takes that back', async () => {
    const { page, me, expectQuiet, close } = await openMember({ javaScriptEnabled });
    await choosePlan(page, 'Personal', { trial: true });
    await page.getByText('Free until').waitFor();
    await page.getByRole('button', { name: 'Continue with card' }).click();
    await payWith(page, 'good');
    await page.waitForURL('**/account/subscription');
    await page.getByText('You are in your free trial').waitFor();
    await page.getByText(/\$9\.99 is charged next on/).waitFor();
    expect((await me()).monetization).toMatchObject({ isSubscribed: true, trialAvailable: false });

    await page.getByRole('link', { name: 'Cancel subscription' }).click();
    await page.getByRole('button', { name: 'Yes, cancel' }).click();
    await page.getByText('You have cancelled').waitFor();
    expect((await me()).monetization.isSubscribed).toBe(true);
    await page.getByRole('button', { name: 'Continue the subscription' }).click();
    await page.getByText(/\$9\.99 is charged next on/).waitFor();
    expectQuiet();
    await close();
  });

  it('a declined card is said, nothing is bought, and another one works', async () => {
    const { page, me, expectQuiet, close } = await openMember({ javaScriptEnabled });
    await buyPack(page, 10, 'declined');
    await page.waitForURL('**/checkout?*');
    await page.getByRole('alert').getByText('Your bank declined the payment').waitFor();
    expect((await me()).availableCredits).toBe(0);
    await page.getByRole('button', { name: 'Pay by card' }).click();
    await payWith(page, 'good');
    await page.waitForURL('**/account/limits');
    expect((await me()).availableCredits).toBe(10);
    expectQuiet();
    await close();
  });

  it('whoever comes back without paying finds their choice again', async () => {
    const { page, me, expectQuiet, close } = await openMember({ javaScriptEnabled });
    await page.goto('/upgrade');
    await page.getByRole('link', { name: 'Buy: 3 downloads' }).click();
    await page.getByRole('button', { name: 'Pay by card' }).click();
    await page.locator('button[name=action][value=cancel]').click();
    await page.getByRole('alert').getByText('You came back without paying').waitFor();
    await page.getByRole('heading', { name: '3 downloads' }).waitFor();
    expect((await me()).availableCredits).toBe(0);
    await page.getByRole('link', { name: 'Back to the plans' }).click();
    await page.waitForURL('**/upgrade');
    expectQuiet();
    await close();
  });

  it('the bank may ask in between, and say yes or no', async () => {
    const { page, me, expectQuiet, close } = await openMember({ javaScriptEnabled });
    for (const decision of ['decline', 'approve'] as const) {
      await buyPack(page, 3, 'bank');
      await answer(page, decision);
      if (decision === 'decline') await page.getByRole('alert').waitFor();
      else await page.waitForURL('**/account/limits');
    }
    expect((await me()).availableCredits).toBe(3);
    expectQuiet();
    await close();
  });

  it('a subscription whose first payment fails says so, and can be given up', async () => {
    const { page, me, expectQuiet, close } = await openMember({ javaScriptEnabled });
    await choosePlan(page, 'Personal');
    await page.getByRole('button', { name: 'Pay by card' }).click();
    await payWith(page, 'keptOnly');
    await page.getByRole('alert').getByText('could not be created').waitFor();
    expect((await me()).monetization).toMatchObject({ isSubscribed: false, hasIncompleteSubscription: true });
    await page.goto('/account/subscription');
    await page.getByRole('alert').getByText('could not be created').waitFor();
    await page.getByRole('link', { name: 'Cancel subscription' }).click();
    await page.getByRole('button', { name: 'Yes, cancel' }).click();
    await page.waitForURL('**/account/subscription');
    await expect.poll(async () => (await me()).monetization.hasIncompleteSubscription).toBe(false);
    expectQuiet();
    await close();
  });

  it('whoever has downloads left agrees to lose them before they subscribe', async () => {
    const { page, me, expectQuiet, close } = await openMember({ javaScriptEnabled });
    await buyPack(page, 3);
    await page.waitForURL('**/account/limits');
    await choosePlan(page, 'Personal');
    await page.getByText('You still have downloads available').waitFor();
    await page.getByRole('button', { name: 'Pay by card' }).click();
    expect(pathOfPage(page)).toBe('/checkout');
    await page.getByRole('checkbox', { name: 'Yes, proceed' }).check();
    await page.getByRole('button', { name: 'Pay by card' }).click();
    await payWith(page, 'good');
    await page.waitForURL('**/account/subscription');
    expect(await me()).toMatchObject({ availableCredits: 0, monetization: { isSubscribed: true } });
    expectQuiet();
    await close();
  });

  it('from Personal to Business, with what is left of Personal given back', async () => {
    const { page, me, expectQuiet, close } = await openMember({ javaScriptEnabled });
    await choosePlan(page, 'Personal');
    await page.getByRole('button', { name: 'Pay by card' }).click();
    await payWith(page, 'good');
    await page.waitForURL('**/account/subscription');
    await page.getByRole('link', { name: 'Upgrade to Business' }).click();
    // The page before has a link of the same name.
    await page.getByRole('heading', { level: 1, name: 'Plans and prices' }).waitFor();
    await page.getByRole('link', { name: 'Upgrade to Business' }).click();
    await page.getByText('$9.99 is given back').waitFor();
    await page.getByRole('button', { name: 'Upgrade now' }).click();
    await page.waitForURL('**/account/subscription');
    await page.getByText('Every tool and format').waitFor();
    expect((await me()).limits.exports).toBeNull();
    expectQuiet();
    await close();
  });

  it('by wallet: a subscription, which can be cancelled and not taken back', async () => {
    const { page, me, expectQuiet, close } = await openMember({ javaScriptEnabled });
    await choosePlan(page, 'Business');
    await page.getByRole('button', { name: 'Pay with PayPal' }).click();
    await answer(page, 'approve');
    await page.waitForURL('**/account/subscription');
    await page.getByText('You pay with PayPal').waitFor();
    expect((await me()).monetization).toMatchObject({ subscriptionProvider: 'paypal', isSubscribed: true });
    await page.getByRole('link', { name: 'Cancel subscription' }).click();
    await page.getByRole('button', { name: 'Yes, cancel' }).click();
    await page.getByText('You have cancelled').waitFor();
    expect(await page.getByRole('button', { name: 'Continue the subscription' }).count()).toBe(0);
    expectQuiet();
    await close();
  });

  it('Business downloads without counting, in any format; for others the formats lead to the plans', async () => {
    const { page, expectQuiet, close } = await openMember({ javaScriptEnabled });
    await enhancePicture(page);
    expect(await page.getByRole('link', { name: 'TIFF' }).getAttribute('href')).toMatch(/^\/upgrade\?taskId=/);
    await choosePlan(page, 'Business');
    await page.getByRole('button', { name: 'Pay by card' }).click();
    await payWith(page, 'good');
    await page.waitForURL('**/account/subscription');
    await enhancePicture(page);
    await page.getByRole('link', { name: 'Download' }).waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'TIFF' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('sea-clearframe.tif');
    expect((await readFile(await saved.path())).subarray(0, 2).toString()).toMatch(/^(?:II|MM)$/);
    expectQuiet();
    await close();
  });

  it('by wallet: a pack', async () => {
    const { page, me, expectQuiet, close } = await openMember({ javaScriptEnabled });
    await page.goto('/upgrade');
    await page.getByRole('link', { name: 'Buy: 20 downloads' }).click();
    await page.getByRole('button', { name: 'Pay with PayPal' }).click();
    await answer(page, 'approve');
    await page.waitForURL('**/account/limits');
    expect((await me()).availableCredits).toBe(20);
    expectQuiet();
    await close();
  });

  it('a guest who buys more than one download logs in on the way', async () => {
    const { page, expectQuiet, close } = await openPage(browser, product.url, { javaScriptEnabled });
    await page.goto('/upgrade');
    await page.getByRole('link', { name: 'Buy: 3 downloads' }).click();
    await page.waitForURL(/\/login\?returnTo=%2Fcheckout/);
    await signIn(page, product.url, newEmail());
    await page.reload();
    await page.waitForURL('**/checkout?*');
    await page.getByRole('heading', { name: '3 downloads' }).waitFor();
    expectQuiet();
    await close();
  });

  it('prices of other periods are one choice away', async () => {
    const { page, expectQuiet, close } = await openPage(browser, product.url, { javaScriptEnabled });
    await page.goto('/upgrade');
    await page.getByText('$9.99', { exact: true }).first().waitFor();
    // Whoever logs in on the way may be new.
    await page.getByRole('link', { name: 'Try 7 days for free Personal' }).waitFor();
    await page.getByText('Save 35%').waitFor();
    await page.getByText('Yearly').click();
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('$260.99', { exact: true }).waitFor();
    expectQuiet();
    await close();
  });
});

it('a double click, a reload and another tab pay once', async () => {
  const { page, me, close } = await openMember();
  await page.goto('/upgrade');
  await page.getByRole('link', { name: 'Buy: 3 downloads' }).click();
  await page.getByRole('button', { name: 'Pay by card' }).dblclick();
  await page.waitForURL('**/api/sandbox/pages/checkout?*');
  const back = page.waitForRequest((request) => request.url().includes('/checkout/return?'));
  await payWith(page, 'good');
  const returned = (await back).url();
  await page.waitForURL('**/account/limits');
  await page.goto(returned);
  await page.waitForURL('**/account/limits');
  expect((await me()).availableCredits).toBe(3);
  await close();
});

it('whoever comes back on another page is taken in all the same, and the address is clean', async () => {
  const { page, me, expectQuiet, close } = await openMember();
  await page.goto('/upgrade');
  await page.getByRole('link', { name: 'Buy: 3 downloads' }).click();
  await page.getByRole('button', { name: 'Pay by card' }).click();
  await page.route(
    '**/checkout/return?*',
    (route) => {
      const { search } = new URL(route.request().url());
      return route.fulfill({ status: 303, headers: { location: `/terms${search}` } });
    },
    { times: 1 },
  );
  await payWith(page, 'good');
  await page.waitForURL('**/account/limits');
  expect(new URL(page.url()).search).toBe('');
  expect((await me()).availableCredits).toBe(3);
  expectQuiet();
  await close();
});

it('an intro offer on the address is what is charged', async () => {
  const { page, me, expectQuiet, close } = await openMember();
  await page.goto('/upgrade?version=ip');
  await page.getByText('$0.99 is charged now for the first week').first().waitFor();
  await page.getByRole('link', { name: 'Choose Personal' }).click();
  await page.getByText('$0.99', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Pay with PayPal' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Pay by card' }).click();
  await payWith(page, 'good');
  await page.waitForURL('**/account/subscription');
  expect((await me()).monetization).toMatchObject({ isSubscribed: true, subscriptionWithIntroPrice: true });
  expectQuiet();
  await close();
});
