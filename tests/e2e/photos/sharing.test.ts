import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../../support/browser/accessibility.ts';
import { untilToast } from '../../support/browser/brief.ts';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { itInLongRun } from '../../support/browser/javascript.ts';
import { visitorOf } from '../../support/members.ts';
import { FOR_SALE } from '../../support/payments/checkout.ts';
import { blurredFace } from '../../support/portrait.ts';
import { environmentOf, withDatabase } from '../../support/product/database.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();
let face: Buffer;
beforeAll(async () => {
  face = await blurredFace(96);
});

const FILE_NAME = 'grandma at the lake.jpg';
const dead = text('common:deadLink.title');
const link = (page: Page) => page.getByLabel(text('result:share.link'), { exact: true });
const button = (page: Page, name: 'create' | 'copy' | 'send' | 'stop') =>
  page.getByRole('button', { name: text(`result:share.${name}`) });

async function enhance(page: Page): Promise<string> {
  await page.goto('/');
  return (await visitorOf(page)).enhance(face, FILE_NAME, FOR_SALE);
}

const metaOf = async (address: string): Promise<Map<string, string>> => {
  const html = await (await fetch(address)).text();
  const tags = [...html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g)];
  const names = tags.map(([, name = '']) => name);
  expect(new Set(names.filter((name) => name !== 'theme-color')).size).toBe(
    names.filter((name) => name !== 'theme-color').length,
  );
  return new Map(tags.map(([, name = '', content = '']) => [name, content]));
};

const statusesOf = (addresses: readonly string[]) =>
  Promise.all(addresses.map(async (address) => (await fetch(address)).status));

/** URLs of the pictures in a page, once they are loaded. */
const picturesOf = (page: Page) =>
  page
    .getByRole('article')
    .locator('img[alt]:not([alt=""])')
    .evaluateAll((images) =>
      Promise.all(
        images.map((image) => (image as HTMLImageElement).decode().then(() => (image as HTMLImageElement).src)),
      ),
    );

async function expireLinks(page: Page): Promise<void> {
  const { webUserId } = await (await visitorOf(page)).me();
  const { DATABASE_URL = '' } = await environmentOf(product, 'api');
  await withDatabase(DATABASE_URL, async (client) => {
    await client.query('BEGIN');
    // The API's lock on a user's rows.
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`user:${webUserId}`]);
    await client.query(
      `UPDATE sharings SET expires_at = now() - interval '1 minute'
       WHERE task_id IN (SELECT id FROM tasks WHERE user_id = $1)`,
      [webUserId],
    );
    await client.query('COMMIT');
  });
}

describe('sharing', () => {
  it('creates, sends, copies and revokes a link, which shows both sides to anyone', async () => {
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
    const owner = await openPage(browser(), product.url, phone);
    const { page } = owner;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    // Headless browsers have no dialog for sending.
    await page.addInitScript(() => {
      Object.assign(navigator, { share: async ({ url }: ShareData) => Object.assign(window, { sent: url }) });
    });
    const taskId = await enhance(page);
    await page.goto(`/result?taskId=${taskId}`);
    await untilHydrated(page);
    await page.getByRole('link', { name: text('common:share') }).click();
    await button(page, 'create').click();
    const address = await link(page).inputValue();
    expect(address).toMatch(new RegExp(`^${product.url}/s/[\\w-]{22}$`));
    await expectAccessible(page);
    await untilToast(page, text('result:share.copied'), () => button(page, 'copy').click());
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(address);
    await button(page, 'send').click();
    await expect.poll(() => page.evaluate(() => ('sent' in window ? window.sent : null))).toBe(address);

    const stranger = await openPage(browser(), product.url, { expectedStatus: 404 });
    await stranger.page.goto(`/result?sharingId=${address.split('/').at(-1)}`);
    await stranger.page.waitForURL(address);
    await expect.poll(() => stranger.page.title()).toBe(text('result:shared.title'));
    const pictures = await picturesOf(stranger.page);
    expect(pictures).toEqual([`/media/shares/`, `/media/shares/`].map((path) => expect.stringContaining(path)));
    await stranger.page.getByRole('slider').waitFor();
    await expectAccessible(stranger.page, [1440, 390]);
    const downloading = stranger.page.waitForEvent('download');
    await stranger.page.getByRole('link', { name: text('result:freeFile') }).click();
    expect((await downloading).suggestedFilename()).toBe('clearframe.jpg');
    const html = await stranger.page.content();
    for (const hidden of ['grandma', taskId]) expect(html).not.toContain(hidden);

    const meta = await metaOf(address);
    const preview = meta.get('og:image') ?? '';
    expect(Object.fromEntries(meta)).toMatchObject({
      robots: 'noindex, noarchive',
      referrer: 'same-origin',
      'og:url': address,
      'og:title': text('result:shared.title'),
      'og:image': expect.stringMatching(/\/media\/shares\/[\w-]{22}\/preview$/),
      'og:image:width': '1200',
      'twitter:card': 'summary_large_image',
    });
    expect(await statusesOf([...pictures, preview])).toEqual([200, 200, 200]);

    await untilToast(page, text('result:share.stopped'), () => button(page, 'stop').click());
    await button(page, 'create').waitFor();
    expect(await statusesOf([...pictures, preview])).toEqual([404, 404, 404]);
    expect((await stranger.page.reload())?.status()).toBe(404);
    await stranger.page.getByRole('heading', { name: dead }).waitFor();

    await page.goto('/history');
    await untilHydrated(page);
    await page.getByRole('button', { name: text('account:history.more', { name: FILE_NAME }) }).click();
    await page.getByRole('link', { name: new RegExp(`^${text('common:share')}`) }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: text('result:share.create') })
      .waitFor();
    for (const watched of [owner, stranger]) {
      watched.expectNoErrors();
      await watched.close();
    }
  });

  itInLongRun('works without JavaScript, side by side, until the link expires', async () => {
    const owner = await openPage(browser(), product.url, { javaScriptEnabled: false });
    const { page } = owner;
    const taskId = await enhance(page);
    await page.goto(`/result?taskId=${taskId}`);
    await page.getByRole('link', { name: text('common:share') }).click();
    await button(page, 'create').click();
    const address = await link(page).inputValue();
    await page.getByRole('link', { name: text('common:goBack') }).click();
    await page.waitForURL(`**/result?taskId=${taskId}`);
    await page.getByRole('link', { name: text('common:share') }).click();
    await expect.poll(() => link(page).inputValue()).toBe(address);

    const stranger = await openPage(browser(), product.url, {
      javaScriptEnabled: false,
      expectedStatus: 410,
      viewport: { width: 390, height: 844 },
      locale: 'ar',
    });
    await stranger.page.goto(address);
    const sides = stranger.page.getByRole('article').getByRole('figure');
    const [before, after] = await Promise.all([sides.nth(0).boundingBox(), sides.nth(1).boundingBox()]);
    // In reading order.
    expect(before?.y).toBe(after?.y);
    expect(before?.x).toBeGreaterThan(after?.x ?? Number.POSITIVE_INFINITY);
    expect(await picturesOf(stranger.page)).toHaveLength(2);

    await expireLinks(page);
    expect((await stranger.page.reload())?.status()).toBe(410);
    await stranger.page.getByRole('heading', { name: 'انتهت صلاحية الرابط أو أنه غير صحيح' }).waitFor();
    await page.reload();
    await button(page, 'create').click();
    await expect.poll(() => link(page).inputValue()).not.toBe(address);
    await button(page, 'stop').click();
    await button(page, 'create').waitFor();
    for (const watched of [owner, stranger]) {
      watched.expectNoErrors();
      await watched.close();
    }
  });
});
