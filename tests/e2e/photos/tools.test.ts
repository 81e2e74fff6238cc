import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { useBrowser } from '../../support/browser/browser.ts';
import { asOneChange } from '../../support/browser/clock.ts';
import { itInLongRun } from '../../support/browser/javascript.ts';
import { openMember } from '../../support/members.ts';
import { subscribe } from '../../support/payments/purchases.ts';
import { blurredPortrait } from '../../support/portrait.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { shownResult, untilShown } from '../../support/result-page.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

let photo: Buffer;
beforeAll(async () => {
  photo = await blurredPortrait(160);
});

/** Runs no neural network: color takes milliseconds. */
const PLAIN = {};

const versions = (page: Page) =>
  page.getByRole('navigation', { name: 'Versions' }).getByRole('link', { name: /^Version/ });

const look = (page: Page, name: string) => page.getByRole('radio', { name: new RegExp(`^${name}`) });

describe('the tools of a result', () => {
  it('preview a locked look, go back, and apply it once the plan has it', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    const taskId = await account.enhance(photo, 'me.jpg', PLAIN);
    await page.clock.install();
    await page.goto(`/result?taskId=${taskId}`);
    await untilHydrated(page);
    await page.getByRole('tab', { name: 'Face' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await untilShown(page, () => look(page, 'Golden').check());
    await page.getByText('These tools are in Business.').waitFor();
    await page.getByText('$19.99 a week').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Download', exact: true }).count()).toBe(0);
    await untilShown(page, () => page.getByRole('link', { name: 'Back to my result' }).click());
    await expect.poll(() => look(page, 'Off').first().isChecked()).toBe(true);
    await expect.poll(() => versions(page).count()).toBe(2);

    await subscribe(account, 'business');
    await page.reload();
    await untilHydrated(page);
    await page.getByRole('tab', { name: 'Color' }).click();
    await untilShown(page, () => look(page, 'Golden').check());
    expect((await account.task(taskId)).result.outputs[0]).toMatchObject({ isPreview: false, hasWatermark: false });
    // The last of several changes is applied.
    await untilShown(page, () =>
      asOneChange(page, async () => {
        await look(page, 'Teal').check();
        await look(page, 'Muted').check();
      }),
    );
    // The file of the new plan may replace the one of the earlier look meanwhile.
    const outputs = async () => (await account.task(taskId)).result.outputs;
    await expect.poll(async () => (await outputs())[0]?.aiPipeline).toEqual({ colorEnhance: { model: 'muted' } });
    const results = await outputs();
    expect(results.map(({ aiPipeline }) => aiPipeline)).not.toContainEqual({ colorEnhance: { model: 'teal' } });
    await expect.poll(() => shownResult(page)).toBe(new URL(results[0]?.display?.url ?? '', page.url()).pathname);
    const runs = results.length;
    // An earlier result with the same tools needs no run.
    await untilShown(page, () => look(page, 'Golden').check());
    expect((await account.task(taskId)).result.outputs).toHaveLength(runs);
    await untilShown(page, () => page.getByRole('link', { name: 'Redo' }).click());
    await expect.poll(() => look(page, 'Muted').isChecked()).toBe(true);

    await page.getByRole('link', { name: 'Compare Version 1' }).click();
    await page.getByText('Compare with original').waitFor();
    const tags = page.locator('.viewer .compare-tag');
    await expect.poll(async () => (await tags.allTextContents())[0]).toBe('Version 1');
    await expect.poll(async () => (await tags.allTextContents())[1]).toMatch(/^Version [2-9]$/);
    await page.getByRole('tab', { name: 'More' }).click();
    await page.getByText('me.jpg').last().waitFor();
    await page.getByRole('button', { name: 'Save as default' }).click();
    await page.getByText('Your default for new photos').first().waitFor();
    const { preferences } = await account.me();
    expect(preferences.defaultAiPipeline).toEqual({ colorEnhance: { model: 'muted' } });
    expectNoErrors();
    await close();
  });

  itInLongRun('keep a change while offline and apply it afterwards', async () => {
    const { page, account, close } = await openMember(browser(), product.url);
    const taskId = await account.enhance(photo, 'me.jpg', PLAIN);
    await page.goto(`/result?taskId=${taskId}`);
    await untilHydrated(page);
    await page.getByRole('tab', { name: 'Color' }).click();
    await page.context().setOffline(true);
    await look(page, 'Golden').check();
    // The site has a notice of its own.
    await page.getByText(text('result:panel.offline')).waitFor();
    await untilShown(page, () => page.context().setOffline(false));
    await page.getByText('These tools are in Business.').waitFor();
    await close();
  });

  itInLongRun('show their looks once the server answers again', async () => {
    const { page, account, close } = await openMember(browser(), product.url, { expectedStatus: 503 });
    const taskId = await account.enhance(photo, 'me.jpg', PLAIN);
    const refused = Promise.withResolvers<void>();
    await page.route('**/looks', (route) => {
      refused.resolve();
      return route.fulfill({ status: 503, json: {} });
    });
    await page.goto(`/result?taskId=${taskId}`);
    await refused.promise;
    await page.unroute('**/looks');
    // Looks of the first tab only; the others are loaded with their tabs.
    await page.locator('img.filter-picture').first().waitFor();
    await close();
  });

  it('are a form without JavaScript', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, {
      javaScriptEnabled: false,
    });
    const taskId = await account.enhance(photo, 'me.jpg', PLAIN);
    await page.goto(`/result?taskId=${taskId}`);
    // The form is longer than the window.
    const picture = page.getByAltText('Your photo after');
    await expect.poll(() => picture.boundingBox()).toMatchObject({ y: 64 });
    await look(page, 'Golden').check();
    await expect.poll(async () => (await picture.boundingBox())?.y).toBeLessThan(65);
    await expect.poll(async () => (await picture.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('These tools are in Business.').waitFor();
    await page.getByRole('link', { name: 'Back to my result' }).click();
    await page.getByRole('link', { name: 'Version 2 Preview' }).click();
    await page.getByText('These tools are in Business.').waitFor();
    expectNoErrors();
    await close();
  });
});
