import type { Page } from 'playwright-core';
import { environmentOf, withDatabase } from '../product/database.ts';
import type { Product } from '../product/product.ts';
import { text } from '../texts.ts';

export const VISITORS = ['guest', 'member', 'subscriber'] as const;
export type Visitor = (typeof VISITORS)[number];

interface FlagEffect {
  readonly flag: string;
  readonly value: string;
  readonly visitor: Visitor;
  readonly path: string;
  /** Visible without the flag and with it; each is absent in the other case. */
  readonly usual: (page: Page) => ReturnType<Page['locator']>;
  readonly changed: (page: Page) => ReturnType<Page['locator']>;
}

export const link = (name: string | RegExp) => (page: Page) =>
  page.getByRole('main').getByRole('link', { name, exact: typeof name === 'string' });

const TRIAL = text('tiers:try');
export const CHARGE = 'Free for 7 days with 20 downloads, then $9.99 a week.';

/** All are switched on together: those of one page don't hide each other. */
const EFFECTS: readonly FlagEffect[] = [
  {
    flag: 'highlightedOtpStrategy',
    value: 'ten_exports',
    visitor: 'guest',
    path: '/upgrade',
    usual: link('Buy: 3 downloads'),
    changed: link(text('tiers:paywall.others')),
  },
  {
    // Subscribers aren't offered packs, which come first.
    flag: 'businessTierWeeklyHighlighted',
    value: 'true',
    visitor: 'subscriber',
    path: '/upgrade',
    usual: (page) => page.getByText(text('tiers:current'), { exact: true }),
    changed: link(text('tiers:paywall.others')),
  },
  {
    flag: 'compliantPriceEnabled',
    value: 'false',
    visitor: 'guest',
    path: '/pricing',
    usual: (page) => link(/Personal/)(page).getByText(CHARGE),
    changed: (page) => page.locator('a + p', { hasText: CHARGE }),
  },
  {
    flag: 'expFreeTrialPaywallCtaLabel',
    value: 'start',
    visitor: 'guest',
    path: '/pricing',
    usual: link(new RegExp(`^${TRIAL} Personal`)),
    changed: link(new RegExp(`^${text('tiers:trialLabels.start')} Personal`)),
  },
  {
    flag: 'expFreeTrialPaywallPayNowLabel',
    value: 'unlock',
    visitor: 'guest',
    path: '/pricing?version=ip',
    usual: link(/^Choose Personal/),
    changed: (page) => link(new RegExp(`^${text('tiers:payNowLabels.unlock')}`))(page).first(),
  },
  {
    flag: 'shouldForceHomeFreeTrial',
    value: 'true',
    visitor: 'guest',
    path: '/',
    usual: (page) => page.locator('main a[href^="/pricing"]'),
    changed: (page) => page.locator('main a[href^="/upgrade?previousAction=home_trial"]', { hasText: TRIAL }),
  },
  {
    flag: 'bipaDisclaimerEnabled',
    value: 'true',
    visitor: 'guest',
    path: '/',
    usual: (page) => page.locator('p#upload-limits:last-child'),
    changed: (page) => page.locator('#upload-limits + p a[href="/privacy-and-cookie-policy#photos"]'),
  },
  {
    flag: 'disableEmailReminder',
    value: 'true',
    visitor: 'member',
    path: '/checkout?priceId=sbx_price_personal_weekly_usd&freeTrialEnabled=true',
    usual: (page) => page.getByRole('switch', { name: text('tiers:checkout.reminder') }).or(page.getByText('Day 4')),
    changed: (page) => page.getByRole('main').filter({ hasText: 'Day 7', hasNotText: 'Day 4' }),
  },
];

/** The effects on each page of a visitor, which is opened once for all of them. */
export function pagesOf(visitor: Visitor) {
  const effects = EFFECTS.filter((effect) => effect.visitor === visitor);
  const paths = [...new Set(effects.map(({ path }) => path))];
  return paths.map((path) => ({ path, effects: effects.filter((effect) => effect.path === path) }));
}

/** What `pnpm ops settings set` stores: eight of its processes would take ten seconds of a processor. */
export async function storeFlags(product: Pick<Product, 'pidOf'>): Promise<void> {
  const { DATABASE_URL = '' } = await environmentOf(product, 'api');
  const isBoolean = (value: string) => value === 'true' || value === 'false';
  const flags = EFFECTS.map(({ flag, value }) => [flag, isBoolean(value) ? value === 'true' : value]);
  await withDatabase(DATABASE_URL, (client) =>
    client.query(
      'INSERT INTO flag_overrides (name, value, updated_at) SELECT key, value, now() FROM jsonb_each($1::jsonb)',
      [JSON.stringify(Object.fromEntries(flags))],
    ),
  );
}
