import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import { visitorOf } from '../members.ts';
import { untilHydrated } from '../sign-in.ts';
import { text } from '../texts.ts';

/** See docs/sandbox-payments.md. */
export const CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  keptOnly: '4000000000000341',
  bank: '4000000000003220',
} as const;
export type CardName = keyof typeof CARDS;

export async function payWith(page: Page, card: CardName): Promise<void> {
  await page.waitForURL('**/api/sandbox/pages/checkout*');
  await page.locator(`button[name=card_number][value="${CARDS[card]}"]`).click();
}

export async function answer(page: Page, action: 'approve' | 'decline' | 'cancel'): Promise<void> {
  await page.locator(`button[name=action][value=${action}]`).click();
}

/** Enlarged four times by default, which takes 0.2 s of a processor without faces; large enough for a watermark. */
export const SMALL_PICTURE = { width: 120, height: 90 } as const;

export const smallPicture = (): Promise<Buffer> =>
  sharp({ create: { ...SMALL_PICTURE, channels: 3, background: '#5b7a99' } })
    .jpeg()
    .toBuffer();

/** Tools of a picture that is needed only as a result: no network runs. */
export const NO_NETWORKS = { upscale: { factor: 1 } } as const;

/** Cheapest tools whose result is sold: an untouched picture is free. */
export const FOR_SALE = { upscale: { factor: 2 } } as const;

/** Opens a result of the page's visitor. Uploading is tested in e2e/photos. */
export async function enhancePicture(page: Page, waitUntil: 'domcontentloaded' | 'load' = 'load'): Promise<void> {
  const visitor = await visitorOf(page);
  const taskId = await visitor.enhance(await smallPicture(), 'sea.jpg', FOR_SALE);
  await page.goto(`/result?taskId=${taskId}`, { waitUntil });
}

/**
 * Opens the checkout by its address, for tests of what follows; `buyPack` and `choosePlan` press the buttons of the offers,
 * which takes another half second of a processor.
 */
export async function openCheckout(
  page: Page,
  price: 'personal_weekly' | 'three_exports' | 'ten_exports',
  { trial = false, javaScriptEnabled = true } = {},
): Promise<void> {
  await page.goto(`/checkout?priceId=sbx_price_${price}_usd${trial ? '&freeTrialEnabled=true' : ''}`);
  if (javaScriptEnabled) await untilHydrated(page);
}

export async function buyPack(page: Page, downloads: 3 | 10 | 20): Promise<void> {
  await page.goto('/upgrade');
  await page.getByRole('link', { name: `Buy: ${downloads} downloads` }).click();
  await page.getByRole('button', { name: 'Pay $' }).click();
  await payWith(page, 'good');
}

export async function choosePlan(page: Page, plan: 'Personal' | 'Business', { trial = false } = {}): Promise<void> {
  await page.goto('/upgrade');
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: plan, level: 2 }) });
  await card.getByRole('link').first().click();
  await page.getByRole('heading', { level: 1, name: 'Checkout' }).waitFor();
  // Without scripts the heading may be shown before the rest of the page is parsed.
  await page.waitForLoadState('domcontentloaded');
  if (!trial) await withoutTrial(page);
}

export async function withoutTrial(page: Page): Promise<void> {
  const toggle = page.getByRole('switch', { name: text('tiers:checkout.trial') });
  if ((await toggle.count()) === 0 || !(await toggle.isChecked())) return;
  await toggle.uncheck();
  const update = page.getByRole('button', { name: text('tiers:checkout.update') });
  if (await update.isVisible()) await update.click();
  // The page with the trial has the same buttons.
  await page.waitForURL(({ searchParams }) => searchParams.get('freeTrialEnabled') !== 'true');
  // The address changes before the page: until then a payment shows the new order only.
  await page.locator('input[name=trialShown][value=false]').waitFor({ state: 'attached' });
}

interface SentMail {
  readonly subject: string;
  readonly text: string;
}

export async function mailTo(page: Page, origin: string, email: string, subject: RegExp): Promise<SentMail> {
  let found: SentMail | undefined;
  await expect
    .poll(async () => {
      const response = await page.request.get(`${origin}/api/sandbox/mail?${new URLSearchParams({ to: email })}`);
      const { data } = (await response.json()) as { data: SentMail[] };
      found = data.find((mail) => subject.test(mail.subject));
      return found !== undefined;
    })
    .toBe(true);
  if (!found) throw new Error('no mail');
  return found;
}

export function codeIn(text: string): string {
  const [, code] = /: ([A-Za-z0-9_-]{20,})/.exec(text) ?? [];
  if (!code) throw new Error(`no code in: ${text}`);
  return code;
}
