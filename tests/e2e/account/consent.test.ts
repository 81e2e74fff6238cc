import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../../support/browser/accessibility.ts';
import { useBrowser } from '../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript, sampleOf } from '../../support/browser/javascript.ts';
import { openMember } from '../../support/members.ts';
import { FOR_SALE, openCheckout, payWith, smallPicture } from '../../support/payments/checkout.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { until } from '../../support/product/until.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const question = (page: Page) => page.getByRole('dialog', { name: text('account:marketing.title') });
const trainingQuestion = (page: Page) => page.getByRole('dialog', { name: text('account:imageTraining.title') });
const declined = (page: Page) => page.getByRole('dialog', { name: text('account:imageTraining.declined.title') });

const answersOn = (page: Page) =>
  page.evaluate(() => {
    const events = 'dataLayer' in window ? (window.dataLayer as { event: string; action?: string }[]) : [];
    return events.filter(({ event }) => event === 'consent').map(({ action }) => action);
  });

describe('the consent for marketing', () => {
  it.each(
    sampleOf([
      ['accept', 'accepted', true],
      ['decline', 'not_accepted', false],
    ] as const),
  )('is asked for once after subscribing: %s', async (answer, tracked, isGranted) => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { asksForConsent: true });
    await openCheckout(page, 'personal_weekly', { trial: true });
    await page.getByRole('button', { name: 'Start free trial', exact: true }).click();
    await payWith(page, 'good');
    await page.waitForURL('**/welcome');
    await question(page)
      .getByRole('button', { name: text(`account:marketing.${answer}`) })
      .click();
    await question(page).waitFor({ state: 'detached' });
    // Closing a modal is a step in the history.
    await expect.poll(() => new URL(page.url()).pathname).toBe('/welcome');
    await expect.poll(() => answersOn(page)).toEqual([tracked]);
    await expect.poll(async () => (await account.me()).marketingConsent).toBe(isGranted);
    const asked = () => page.evaluate(() => localStorage.getItem('clearframe:marketing-consent-shows'));
    await expect.poll(asked).toBe('1');
    expectNoErrors();
    await close();
  });

  itWithAndWithoutJavaScript(
    'has a page, which leads back and has nothing to ask a second time',
    { short: 'neither' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
      const address = '/consents/marketing?from=%2Fabout%2Ffiles';
      await page.goto(address);
      await page.getByRole('heading', { level: 1, name: text('account:marketing.title') }).waitFor();
      await page.getByRole('link', { name: text('account:marketing.decline') }).click();
      await page.waitForURL('**/about/files');
      await expect.poll(async () => (await account.me()).marketingConsent).toBe(false);
      await page.goto(address);
      await page.getByRole('button', { name: text('account:marketing.accept') }).click();
      await page.waitForURL('**/about/files');
      await expect.poll(async () => (await account.me()).marketingConsent).toBe(true);
      await page.goto(address);
      await expect.poll(() => new URL(page.url()).pathname).toBe('/about/files');
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript(
    'is given and withdrawn in the privacy settings',
    { short: 'with' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
      await page.goto('/account/general/privacy');
      if (javaScriptEnabled) await untilHydrated(page);
      for (const isGranted of [true, false]) {
        await page.getByRole('switch', { name: text('account:privacy.marketing') }).setChecked(isGranted);
        if (!javaScriptEnabled) {
          const form = page.locator('form', { hasText: text('account:privacy.marketing') });
          await form.getByRole('button', { name: text('account:general.save') }).click();
          await page.getByRole('status').getByText('Saved').waitFor();
          await expect.poll(() => new URL(page.url()).pathname).toBe('/account/general/privacy');
        }
        await until('the answer is stored', async () => (await account.me()).marketingConsent === isGranted);
      }
      expectNoErrors();
      await close();
    },
  );
});

it('a switch stays as chosen while earlier changes are saved', async () => {
  const { page, account, close } = await openMember(browser(), product.url);
  await page.goto('/account/general/privacy');
  await untilHydrated(page);
  const held: Route[] = [];
  await page.route('**/account/preferences', (route) => void held.push(route));
  const marketing = page.getByRole('switch', { name: text('account:privacy.marketing') });
  await marketing.setChecked(true);
  await expect.poll(() => held.length).toBe(1);
  await marketing.setChecked(false);
  const first = page.waitForResponse('**/account/preferences');
  await held[0]?.continue();
  await (await first).finished();
  await page.getByText(text('account:saved')).first().waitFor();
  await expect.poll(() => marketing.isChecked()).toBe(false);
  await expect.poll(() => held.length).toBe(2);
  await held[1]?.continue();
  await until('the last choice is stored', async () => !(await account.me()).marketingConsent);
  await expect.poll(() => marketing.isChecked()).toBe(false);
  await close();
});

describe('the consent for training', () => {
  it.each(
    sampleOf([
      ['accept', 'accepted', true],
      ['decline', 'not_accepted', false],
    ] as const),
  )('is asked for once after a download: %s', async (answer, tracked, isGranted) => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { asksForConsent: true });
    const taskId = await account.enhance(await smallPicture(), 'sea.jpg', FOR_SALE);
    await page.goto(`/result?taskId=${taskId}`);
    await untilHydrated(page);
    await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: text('result:download'), exact: true }).click(),
    ]);
    await trainingQuestion(page).waitFor();
    await expectAccessible(page, [1440, 390]);
    await trainingQuestion(page)
      .getByRole('button', { name: text(`account:imageTraining.${answer}`) })
      .click();
    await trainingQuestion(page).waitFor({ state: 'detached' });
    if (!isGranted) {
      await declined(page).waitFor();
      // By itself: declining takes as many clicks as accepting.
      await declined(page).waitFor({ state: 'detached' });
    }
    // Closing a modal is a step in the history.
    await expect.poll(() => new URL(page.url()).pathname).toBe('/result');
    await expect.poll(() => answersOn(page)).toEqual([tracked]);
    await expect.poll(async () => (await account.me()).imageTrainingConsent).toBe(isGranted);
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('clearframe:image-training-consent-shows')))
      .toBe('1');
    expectNoErrors();
    await close();
  });

  itWithAndWithoutJavaScript(
    'has pages, reached from the privacy settings, which lead back',
    { short: 'neither' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
      const settings = '/account/general/privacy';
      const ask = async () => {
        await page.goto(settings);
        if (javaScriptEnabled) await untilHydrated(page);
        await page.getByRole('link', { name: text('account:imageTraining.more') }).click();
        await page.waitForURL('**/consents/image-training?from=*');
      };
      const choose = (role: 'link' | 'button', key: 'accept' | 'decline') =>
        page.getByRole(javaScriptEnabled ? 'button' : role, { name: text(`account:imageTraining.${key}`) }).click();
      await ask();
      await choose('link', 'decline');
      await page.waitForURL(`**${settings}`);
      await expect.poll(async () => (await account.me()).imageTrainingConsent).toBe(false);
      await ask();
      await choose('button', 'accept');
      await page.waitForURL(`**${settings}`);
      await page.getByRole('switch', { name: text('account:privacy.imageTraining'), checked: true }).waitFor();
      await expect.poll(async () => (await account.me()).imageTrainingConsent).toBe(true);
      // Nothing to ask a second time.
      await page.goto('/consents/image-training?from=%2Fabout%2Ffiles');
      await expect.poll(() => new URL(page.url()).pathname).toBe('/about/files');
      expectNoErrors();
      await close();
    },
  );
});
