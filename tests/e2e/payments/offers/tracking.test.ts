import { userExportRoutes } from '@clearframe/contract';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../../../support/browser/browser.ts';
import { itInLongRun, itWithAndWithoutJavaScript } from '../../../support/browser/javascript.ts';
import { openMember } from '../../../support/members.ts';
import { smallPicture } from '../../../support/payments/checkout.ts';
import { sharedProduct } from '../../../support/product/shared-product.ts';
import { jpegFile } from '../../../support/result-page.ts';
import { untilHydrated } from '../../../support/sign-in.ts';
import { text } from '../../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const agreeToMeasurement = (page: Page) =>
  page.context().addCookies([{ name: 'clearframe_cookies', value: 'C0002', url: product.url }]);

async function openMemberPage(options: Parameters<typeof openMember>[2] = {}) {
  const member = await openMember(browser(), product.url, options);
  return {
    ...member,
    /** Events in the member's data export. */
    all: async () => (await member.account.call(userExportRoutes.exportCurrentUser, {})).events,
    events: async () =>
      (await member.account.call(userExportRoutes.exportCurrentUser, {})).events.filter(
        ({ type }) => type === 'UserAction',
      ),
  };
}

describe('events of the offers', () => {
  it('reach the analytics with price ids and previous action, also as the page is left', async () => {
    const { page, events, expectNoErrors, close } = await openMemberPage();
    await agreeToMeasurement(page);
    await page.goto('/upgrade?previousAction=limit');
    await page.getByRole('link', { name: `${text('tiers:try')} Personal` }).waitFor();
    await expect.poll(async () => (await events()).length).toBe(1);
    const [shown] = await events();
    expect(shown).toMatchObject({ type: 'UserAction', kind: 'paywall', info: { path: '/upgrade', language: 'en' } });
    expect(shown?.data).toMatchObject({ action: 'shown', previousAction: 'limit' });
    const priceIds = shown?.data.priceIds;
    expect(priceIds).toContain('sbx_price_personal_weekly_usd');

    // The last event leaves with the page.
    await page.getByRole('link', { name: `${text('tiers:try')} Personal` }).click();
    await page.waitForURL('**/checkout?*');
    await page.goto('about:blank');
    await expect.poll(async () => (await events()).map(({ data }) => data.action)).toEqual(['shown', 'accepted']);
    const [, accepted] = await events();
    expect(accepted?.data.priceIds).toEqual(['sbx_price_personal_weekly_usd']);
    expectNoErrors();
    await close();
  });

  itInLongRun('name the app’s account of /redeem', async () => {
    const { page, events, expectNoErrors, close } = await openMemberPage();
    await agreeToMeasurement(page);
    await page.goto('/redeem?backend_id=oracle-1');
    await untilHydrated(page);
    await page.locator('header').getByRole('link', { name: 'account' }).click();
    await page.getByRole('dialog').getByRole('tab', { name: 'Subscription' }).click();
    await expect.poll(async () => (await events()).length).toBe(1);
    await expect.poll(() => events()).toMatchObject([{ kind: 'settings', info: { backend_id: 'oracle-1' } }]);
    expectNoErrors();
    await close();
  });

  itInLongRun('carry the session, the browser’s id and the landing parameters', async () => {
    const { page, all, expectNoErrors, close } = await openMemberPage();
    await agreeToMeasurement(page);
    await page.goto('/pricing?utm_source=mail&t_adset=7&gclid=click-1');
    await untilHydrated(page);
    await page.keyboard.press('Tab');
    await expect.poll(async () => (await all()).length).toBe(2);
    const events = await all();
    const [start, shown] = ['Session', 'UserAction'].map((type) => events.find((event) => event.type === type));
    expect(start).toMatchObject({ type: 'Session', subtype: 'session_start', kind: 'session' });
    expect(shown).toMatchObject({ type: 'UserAction', kind: 'paywall', clientId: start?.clientId });
    expect(start?.clientId).toMatch(/^[\da-f-]{36}$/);
    for (const event of [start, shown]) {
      expect(event?.info).toMatchObject({ utm_source: 'mail', t_adset: '7' });
      // An advertiser's id needs consent to advertising.
      expect(event?.info).not.toHaveProperty('gclid');
    }
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'clearframe_client_id');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });

    // Later pages of the visit.
    await page.goto('/upgrade');
    await expect
      .poll(async () => (await all()).filter(({ info }) => info.path === '/upgrade'))
      .toMatchObject([{ type: 'UserAction', clientId: start?.clientId, info: { utm_source: 'mail' } }]);
    expectNoErrors();
    await close();
  });

  it('are anonymous without consent to measurement', async () => {
    const { page, events, expectNoErrors, close } = await openMemberPage();
    const sent = page.waitForRequest((request) => new URL(request.url()).pathname === '/events');
    await page.goto('/upgrade');
    expect((await (await sent).response())?.status()).toBe(202);
    await expect.poll(() => events()).toEqual([]);
    expectNoErrors();
    await close();
  });
});

describe('operations', () => {
  itWithAndWithoutJavaScript(
    'of a photo are tracked from the upload to the download, in order and measured',
    { short: 'neither' },
    async (javaScriptEnabled) => {
      const { page, all, expectNoErrors, close } = await openMemberPage({ javaScriptEnabled });
      await agreeToMeasurement(page);
      const ofKind = async (kind: string) => (await all()).filter((event) => event.kind === kind);
      const stepsOf = async (kind: string) => (await ofKind(kind)).map(({ data }) => data.operation);
      await page.goto('/');
      if (javaScriptEnabled) await untilHydrated(page);
      await page.setInputFiles('#upload-file', jpegFile(await smallPicture()));
      if (!javaScriptEnabled) await page.getByRole('button', { name: text('home:drop.submit') }).click();
      await page.waitForURL(/\/result\?/);
      for (const kind of ['upload', 'process'])
        await expect.poll(() => stepsOf(kind)).toEqual(['started', 'completed']);
      for (const kind of ['upload', 'process'])
        expect((await ofKind(kind))[1]?.data).toMatchObject({ mediaType: 'image', durationMs: expect.any(Number) });
      await expect.poll(() => new URL(page.url()).searchParams.has('since')).toBe(false);

      const taskId = new URL(page.url()).searchParams.get('taskId');
      await page.request.get(`/tasks/${taskId}/file`);
      await expect.poll(() => stepsOf('download')).toEqual(['started', 'completed']);
      expect(await ofKind('operationWarning')).toEqual([]);
      expectNoErrors();
      await close();
    },
  );
});
