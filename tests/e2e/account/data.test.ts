import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { ApiError } from '../../support/api-client.ts';
import { bytesOf, openPage, useBrowser } from '../../support/browser/browser.ts';
import { itInLongRun, itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { openMember, visitorOf } from '../../support/members.ts';
import { blurredPortrait } from '../../support/portrait.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const dialog = (page: Page) => page.getByRole('dialog');
const pathOfPage = (page: Page): string => new URL(page.url()).pathname;

async function openPrivacy(page: Page, javaScriptEnabled: boolean): Promise<void> {
  if (!javaScriptEnabled) {
    await page.goto('/account/general/privacy');
    return;
  }
  await page.goto('/');
  await page.waitForSelector('html[data-live]');
  await page.locator('header').getByRole('link', { name: 'account' }).click();
  await dialog(page).getByRole('button', { name: 'Privacy settings' }).click();
}

describe('personal data', () => {
  itWithAndWithoutJavaScript(
    'can be downloaded as a complete file',
    { short: 'without' },
    async (javaScriptEnabled) => {
      const { page, email, account, expectNoErrors, close } = await openMember(browser(), product.url, {
        javaScriptEnabled,
      });
      const { taskId } = await account.upload(await blurredPortrait());
      await openPrivacy(page, javaScriptEnabled);
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download your data' }).click(),
      ]);
      expect(saved.suggestedFilename()).toMatch(/^clearframe-\d{4}-\d\d-\d\d\.json$/);
      const data = JSON.parse((await bytesOf(saved)).toString());
      expect(data).toMatchObject({ user: { email, source: 'google' }, tasks: [{ task_id: taskId }] });
      expect(data.sessions.length).toBeGreaterThan(0);
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript(
    'is erased after the email address was typed',
    { short: 'with' },
    async (javaScriptEnabled) => {
      const { page, email, account, close } = await openMember(browser(), product.url, {
        javaScriptEnabled,
        expectedStatus: 422,
      });
      await account.upload(await blurredPortrait());
      await openPrivacy(page, javaScriptEnabled);
      await page.getByRole('link', { name: text('account:privacy.erase.title') }).click();
      const field = page.getByLabel(text('account:erase.write'));
      const confirm = page.getByRole('button', { name: text('account:erase.confirm') });
      await field.fill('another.user@example.com');
      // The schema is loaded after hydration.
      if (javaScriptEnabled) await expect.poll(() => confirm.isDisabled()).toBe(true);
      else {
        await confirm.click();
        await page.getByRole('alert').getByText('Nothing was deleted').waitFor();
        await account.me();
      }
      await field.fill(email.toUpperCase());
      await confirm.click();
      await page.getByRole('heading', { level: 1, name: text('account:erased.title') }).waitFor();
      await expect(account.me()).rejects.toThrow(ApiError);

      await page.getByRole('link', { name: text('account:erased.home') }).click();
      await page.waitForURL(product.url);
      await page.goto('/account');
      await page.getByText(text('account:general.guest.title')).waitFor();
      await close();
    },
  );

  itInLongRun('is kept when the erasure is declined; the next one has to be confirmed again', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    await openPrivacy(page, true);
    const erase = dialog(page).getByRole('link', { name: text('account:privacy.erase.title') });
    const field = page.getByLabel(text('account:erase.write'));
    await erase.click();
    await field.fill('ada@example.com');
    await page.getByRole('button', { name: text('account:erase.keep') }).click();
    await page.getByRole('button', { name: text('account:erase.keep') }).waitFor({ state: 'detached' });
    await expect.poll(() => pathOfPage(page)).toBe('/account/general/privacy');
    await erase.click();
    await expect.poll(() => field.inputValue()).toBe('');
    await account.me();
    expectNoErrors();
    await close();
  });

  itWithAndWithoutJavaScript(
    'of a guest is erased with the session',
    { short: 'neither' },
    async (javaScriptEnabled) => {
      const { page, close } = await openPage(browser(), product.url, { javaScriptEnabled, expectedStatus: 422 });
      const { taskId } = await (await visitorOf(page)).upload(await blurredPortrait(96));
      const task = `/tasks/${taskId}`;
      expect((await page.request.get(task)).status()).toBe(200);
      await page.goto('/account/general/privacy');
      await page.getByRole('link', { name: text('account:privacy.erase.guestTitle') }).click();
      const confirm = page.getByRole('button', { name: text('account:erase.confirm') });
      if (javaScriptEnabled) await expect.poll(() => confirm.isDisabled()).toBe(true);
      else {
        await confirm.click();
        await page.getByText('Check the box to confirm').waitFor();
      }
      await page.getByLabel(text('account:erase.sure')).check();
      await confirm.click();
      await page.getByRole('heading', { name: text('account:erased.title') }).waitFor();
      expect((await page.request.get(task)).status()).toBe(404);
      await close();
    },
  );
});
