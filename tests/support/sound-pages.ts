import type { Browser, Page } from 'playwright-core';
import { openPage, type WatchedPage } from './browser.ts';
import { ENGLISH } from './gallery.ts';
import { Guest } from './guest.ts';
import { blurredPortrait } from './portrait.ts';
import { giveSubscription } from './purchases.ts';
import { newEmail, untilLive } from './sign-in.ts';
import { signIn } from './signed-in.ts';
import { expectSound, type Look } from './sound.ts';

/** A page to open, or steps on the page that is open to something that has no address of its own. */
type State = string | ((page: Page) => Promise<void>);

interface PageGroup {
  readonly name: string;
  /** Widths at which nothing may stick out; axe judges at the last one. */
  readonly widths: readonly number[];
  /** The account that every page of the group is opened with, made once; null for a guest. */
  readonly prepare: (origin: string) => Promise<{ email: string | null; states: readonly State[] }>;
}

const asGuest =
  (...states: State[]) =>
  async () => ({ email: null, states });

/** Every page whose look is judged, by the accounts that see it. */
export const PAGE_GROUPS: readonly PageGroup[] = [
  {
    name: 'logging in, the rules and getting started',
    widths: [1440, 768, 390],
    prepare: asGuest('/login', '/login/linking?attempted=apple', '/terms', '/privacy-and-cookie-policy', '/onboarding'),
  },
  {
    name: 'languages, help and errors',
    widths: [1440, 390],
    prepare: asGuest(
      ...['/', '/language', '/about/photo', '/upload-error/too_many_files', '/nothing-here'],
      modalAt(390, 'header a[href^="/language"]'),
      modalAt(1440, 'footer a[href^="/about"]'),
    ),
  },
  {
    name: 'a result',
    widths: [768, 1440, 390],
    prepare: async (origin) => {
      const email = newEmail();
      const taskId = await (await Guest.logIn(origin, email)).finish(await blurredPortrait(300));
      return { email, states: [`/result?taskId=${taskId}`, '/history'] };
    },
  },
  {
    name: 'an account',
    widths: [1440, 390],
    prepare: async () => ({
      email: newEmail(),
      states: [
        ...['/onboarding', '/account/general', '/account/general/privacy', '/account/subscription', '/account/erase'],
        ...['/account/erased', accountDialog],
      ],
    }),
  },
  {
    name: 'paying',
    widths: [768, 1440, 390],
    prepare: async (origin) => {
      const email = newEmail();
      await giveSubscription(await Guest.logIn(origin, email), 'personal');
      return {
        email,
        states: [
          '/upgrade?period=yearly',
          '/upgrade/confirm?priceId=sbx_price_business_monthly_usd',
          '/checkout?priceId=sbx_price_three_exports_usd&problem=payments.declined',
          ...['/account/subscription', '/account/subscription/cancel', '/account/limits', '/subscription/cancel'],
          '/unavailable',
        ],
      };
    },
  },
  { name: 'the gallery of widgets', widths: [390, 1440], prepare: asGuest(ENGLISH, '/ui?theme=dark&dir=rtl') },
];

function modalAt(width: number, link: string): State {
  return async (page) => {
    await page.goto('/');
    await untilLive(page);
    await page.setViewportSize({ width, height: 900 });
    await page.locator(link).click();
    await page.getByRole('dialog').waitFor();
    await expectSound(page);
  };
}

async function accountDialog(page: Page): Promise<void> {
  await page.goto('/');
  await untilLive(page);
  await page.locator('header a[href^="/account"]').click();
  await page.getByRole('dialog').getByRole('switch').waitFor();
  await expectSound(page);
}

/**
 * Judges a group's pages.
 * @param looks each page is judged in each of them, or in turns with `{ sampled: true }`: a page in one of them
 */
export async function expectGroupSound(
  browser: Browser,
  origin: string,
  { prepare, widths }: PageGroup,
  { looks, sampled = false }: { looks: readonly Look[]; sampled?: boolean },
): Promise<void> {
  const { email, states } = await prepare(origin);
  for (const [turn, look] of looks.entries()) {
    const watched = await openIn(browser, origin, look, email);
    for (const [index, state] of states.entries()) {
      if (sampled && index % looks.length !== turn) continue;
      if (typeof state === 'string') {
        await watched.page.goto(state);
        await untilLive(watched.page);
        await expectSound(watched.page, widths);
      } else await state(watched.page);
    }
    watched.expectQuiet();
    await watched.close();
  }
}

async function openIn(browser: Browser, origin: string, look: Look, email: string | null): Promise<WatchedPage> {
  // '/nothing-here' is a 404 on purpose.
  const watched = await openPage(browser, origin, { ...look, reducedMotion: 'reduce', expectedStatus: 404 });
  if (email) await signIn(watched.page, origin, email);
  return watched;
}
