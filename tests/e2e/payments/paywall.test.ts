import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, untilInView, useBrowser } from '../../support/browser/browser.ts';
import { visitorOf } from '../../support/members.ts';
import { enhancePicture, payWith } from '../../support/payments/checkout.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { newEmail, untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const TITLE = text('tiers:paywall.photo');
/** The consent banner's answer: necessary and advertising. */
const ADVERTISING = ',C0001,C0004,';

interface TrackedEvent {
  readonly event: string;
  readonly action?: string;
  readonly previousAction?: string;
  readonly priceIds?: readonly string[];
  readonly value?: number;
  readonly currency?: string;
}

const tracked = (page: Page, kind: string) =>
  page.evaluate(
    (event) => ('dataLayer' in window ? (window.dataLayer as TrackedEvent[]) : []).filter((one) => one.event === event),
    kind,
  );

/** Opens the paywall from the result by keyboard. */
async function openPaywall(page: Page) {
  await page.getByRole('link', { name: text('result:plans') }).press('Enter');
  const dialog = page.getByRole('dialog', { name: TITLE });
  await single(dialog).waitFor();
  return dialog;
}

const single = (within: Page | Locator) =>
  within.getByRole('link', { name: text('tiers:paywall.pay', { price: '$4.99' }) });
const others = (within: Page | Locator) => within.getByRole('link', { name: text('tiers:paywall.others') });

describe('the paywall', () => {
  it('opens over the picture, closes by keyboard, and leads back to the clean picture', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
      viewport: { width: 1440, height: 900 },
    });
    await page.addInitScript((groups) => Object.assign(window, { OnetrustActiveGroups: groups }), ADVERTISING);
    await enhancePicture(page);
    await untilHydrated(page);
    const result = page.url();

    let dialog = await openPaywall(page);
    await expect.poll(() => new URL(page.url()).pathname).toBe('/upgrade');
    // The picture beside it is visible.
    const visiblePart = async () => {
      const [panel, picture] = await Promise.all([dialog.boundingBox(), page.locator('.viewer-frame').boundingBox()]);
      return panel && picture && (panel.x - picture.x) / picture.width;
    };
    await expect.poll(visiblePart).toBeGreaterThan(1 / 2);
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true);
    await dialog.getByText(text('tiers:packs.noLogin')).waitFor();
    // One plan is recommended, and its button needs no scrolling.
    await untilInView(dialog.getByRole('link', { name: `${text('tiers:try')} Personal` }));
    await others(dialog).click();
    await dialog.getByRole('link', { name: /^Buy: 1 download/ }).waitFor();
    await dialog.getByText(text('tiers:period.monthly'), { exact: true }).click();
    await dialog.getByText(text('tiers:perWeek', { price: '$6.50' })).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('period')).toBe('monthly');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.url()).toBe(result);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(text('result:plans'));

    dialog = await openPaywall(page);
    await single(dialog).click();
    await page.waitForURL('**/checkout?*');
    const actions = async () => (await tracked(page, 'paywall')).map(({ action }) => action);
    await expect.poll(actions).toEqual(['shown', 'shown', 'dismissed', 'shown', 'accepted']);
    const events = await tracked(page, 'paywall');
    expect(events[0]).toMatchObject({ previousAction: 'watermark' });
    expect(events[0]?.priceIds).toHaveLength(2);
    expect(events[1]?.priceIds).toHaveLength(6);
    expect(events[4]?.priceIds).toEqual([new URL(page.url()).searchParams.get('priceId')]);

    await page.getByRole('button', { name: 'Pay $' }).click();
    await payWith(page, 'good');
    await page.waitForURL('**/result?*');
    await expect
      .poll(() => new URL(page.url()).searchParams.get('taskId'))
      .toBe(new URL(result).searchParams.get('taskId'));
    const task = await (await visitorOf(page)).task(new URL(result).searchParams.get('taskId') ?? '');
    expect(task.isExported).toBe(true);
    await expect.poll(() => page.getByText(text('result:watermark')).count()).toBe(0);
    await expect.poll(() => tracked(page, 'purchase')).toEqual([{ event: 'purchase', value: 9.99, currency: 'USD' }]);
    expectNoErrors();
    await close();
  });

  it('is a page without JavaScript, with a way back to the picture, which is clean once it is paid', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled: false });
    await enhancePicture(page);
    const result = page.url();
    await page.getByRole('link', { name: text('result:plans') }).click();
    await page.getByRole('heading', { level: 1, name: TITLE }).waitFor();
    await others(page).click();
    await page.getByText(text('tiers:period.yearly'), { exact: true }).click();
    await page.getByRole('button', { name: text('tiers:period.show') }).click();
    await page.getByText(text('tiers:perWeek', { price: '$5.02' })).waitFor();
    await page.getByRole('link', { name: text('tiers:paywall.later') }).click();
    await page.waitForURL(result);

    await page.getByRole('link', { name: text('result:plans') }).click();
    await single(page).click();
    await page.getByRole('button', { name: 'Pay $' }).click();
    await payWith(page, 'good');
    await page.waitForURL('**/result?*');
    const taskIdIn = (url: string) => new URL(url).searchParams.get('taskId') ?? '';
    await expect.poll(() => taskIdIn(page.url())).toBe(taskIdIn(result));
    await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
    await expect.poll(() => page.getByText(text('result:watermark')).count()).toBe(0);
    expect((await (await visitorOf(page)).task(taskIdIn(result))).isExported).toBe(true);
    expectNoErrors();
    await close();
  });
});

it('a price on request is asked for by three answers, which reach support', async () => {
  const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled: false });
  const [company, email] = [`Ada & Söhne ${randomUUID()}`, newEmail()];
  await page.goto('/pricing/contact');
  await page.getByLabel(text('tiers:contact.volumes.more')).check();
  await page.getByLabel(text('tiers:contact.company')).fill(company);
  await page.getByLabel(text('support:contact.name')).fill('Ada');
  await page.getByLabel(text('support:contact.email'), { exact: true }).fill(email);
  await page.getByRole('button', { name: text('support:contact.send') }).click();
  await page.getByText(text('tiers:contact.sentBody', { email })).waitFor();
  const tickets = async () => (await page.request.get('/api/sandbox/pages/tickets')).text();
  await expect.poll(tickets).toContain(`Custom price: ${company.replace('&', '&amp;')}`);
  expectNoErrors();
  await close();
});
