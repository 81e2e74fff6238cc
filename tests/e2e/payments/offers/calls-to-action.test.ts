import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, useBrowser } from '../../../support/browser/browser.ts';
import { describeInLongRun, itInLongRun, itWithAndWithoutJavaScript } from '../../../support/browser/javascript.ts';
import { openMember, visitorOf } from '../../../support/members.ts';
import { enhancePicture, smallPicture } from '../../../support/payments/checkout.ts';
import { buyDownloads, subscribe } from '../../../support/payments/purchases.ts';
import { sharedProduct } from '../../../support/product/shared-product.ts';
import { signInByPopup, untilHydrated } from '../../../support/sign-in.ts';
import { text } from '../../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

/** Calls to action (spec 1, section 2), with the plan that each offers to a guest. */
const TOPICS = {
  formats: 'Business',
  downloads: 'Business',
  premium_models: 'Personal',
  business_models: 'Business',
  batch: 'Business',
  video: 'Personal',
  video_limit: 'Business',
  video_week: 'Business',
} as const;
type Topic = keyof typeof TOPICS;
/** One of each plan. */
const SAMPLED: readonly Topic[] = ['formats', 'video'];

const titleOf = (topic: Topic): string => text(`tiers:offer.${topic}.title`);

/** A video as the page reads it: by its type. */
const VIDEO = { name: 'sea.mp4', mimeType: 'video/mp4', buffer: Buffer.from('no frames') };

/** The offer of other formats, over a result. */
async function openFormats(page: Page) {
  await enhancePicture(page);
  await untilHydrated(page);
  await page.getByRole('button', { name: 'Other formats' }).click();
  await page.getByRole('link', { name: /^TIFF/ }).click();
  const dialog = page.getByRole('dialog', { name: titleOf('formats') });
  await dialog.getByRole('link', { name: `${text('tiers:try')} Business` }).waitFor();
  return dialog;
}

describe('every call to action is a page', () => {
  for (const [topic, plan] of Object.entries(TOPICS) as [Topic, string][])
    itWithAndWithoutJavaScript(
      `${topic}: offers ${plan} with a purchase, a login and a refusal`,
      { short: SAMPLED.includes(topic) ? 'without' : 'neither' },
      async (javaScriptEnabled) => {
        const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled });
        await page.goto(`/offer/${topic}?from=%2Fabout%2Ffiles`);
        await page.getByRole('heading', { level: 1, name: titleOf(topic) }).waitFor();
        const main = page.getByRole('main');
        const widths = () =>
          main
            .locator(`img[src^="/samples/offer-${topic}"]`)
            .evaluateAll((images) =>
              images.map((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0)),
            );
        await expect.poll(widths).toEqual([106, 848]);
        await main.getByRole('link', { name: `${text('tiers:try')} ${plan}` }).waitFor();
        if (topic.startsWith('video_')) await main.getByText(text('common:nothingCharged')).waitFor();
        const login = main.getByRole('link', { name: text('tiers:offer.logIn') });
        await expect.poll(() => login.getAttribute('href')).toContain(`returnTo=%2Foffer%2F${topic}`);
        await main.getByRole('link', { name: text('common:goBack') }).click();
        await page.waitForURL('**/about/files');
        expectNoErrors();
        await close();
      },
    );
});

describe('a call to action over a page', () => {
  itInLongRun('tryPhoto: asks for a photo in place of the video', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url);
    await page.goto('/');
    await untilHydrated(page);
    await page.locator('#upload-file').setInputFiles(VIDEO);
    const dialog = page.getByRole('dialog', { name: titleOf('video') });
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      dialog.getByRole('button', { name: text('tiers:offer.tryPhoto') }).click(),
    ]);
    await chooser.setFiles({ name: 'sea.jpg', mimeType: 'image/jpeg', buffer: await smallPicture() });
    await page.waitForURL(/\/(processing|result)\?taskId=/);
    expectNoErrors();
    await close();
  });

  it('logIn: opens the login over the page, which stays', async () => {
    const customer = await openMember(browser(), product.url);
    await subscribe(customer.account, 'business');
    await customer.close();
    const { page, expectNoErrors, close } = await openPage(browser(), product.url);
    const dialog = await openFormats(page);
    const result = new URL(page.url()).searchParams.get('taskId');
    await dialog.getByRole('link', { name: text('tiers:offer.logIn') }).click();
    await page.getByRole('dialog', { name: 'Log in / sign up' }).waitFor();
    await signInByPopup(page, { email: customer.email });
    await page.waitForURL(/\/result\?taskId=/);
    await expect.poll(() => new URL(page.url()).searchParams.get('taskId')).toBe(result);
    expect((await (await visitorOf(page)).me()).role).toBe('business');
    expectNoErrors();
    await close();
  });

  itInLongRun('dismissed: by Escape, with the focus back on what opened it', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url);
    await openFormats(page);
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForURL(/\/result\?taskId=/);
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    expectNoErrors();
    await close();
  });

  itInLongRun('tryOut: leads back to the preview of the tools', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
      viewport: { width: 1440, height: 900 },
    });
    await enhancePicture(page);
    await untilHydrated(page);
    await page.getByRole('tab').nth(2).click();
    await page.locator('input[name=colorEnhance][value=golden]').check();
    await page.waitForURL(/outputId=/);
    const preview = page.url();
    await page.locator('main a[href^="/offer/business_models"]').first().click();
    await page
      .getByRole('dialog', { name: titleOf('business_models') })
      .getByRole('button', { name: text('tiers:offer.tryOut') })
      .click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => page.url()).toBe(preview);
    expectNoErrors();
    await close();
  });
});

describeInLongRun('the warning before downloads are lost', () => {
  itInLongRun('is left by Escape, which selects nothing, with the focus back on the plan', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    await buyDownloads(account, 3);
    await page.goto('/upgrade');
    await untilHydrated(page);
    const plan = page.getByRole('link', { name: `${text('tiers:try')} Personal` });
    await plan.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'You still have downloads available' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.waitForURL('**/upgrade');
    await expect.poll(() => plan.evaluate((link) => link === document.activeElement)).toBe(true);
    expectNoErrors();
    await close();
  });
});
