import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilBrieflyShown } from '../../../support/browser/brief.ts';
import { openPage, useBrowser } from '../../../support/browser/browser.ts';
import { openMember } from '../../../support/identity/members.ts';
import { signUpByPopup, untilHydrated } from '../../../support/identity/sign-in.ts';
import { subscribe } from '../../../support/payments/purchases.ts';
import { blurredFace } from '../../../support/portrait.ts';
import { runOps } from '../../../support/product/ops.ts';
import { type Product, startProduct } from '../../../support/product/product.ts';
import { text } from '../../../support/texts.ts';
import { until } from '../../../support/until.ts';

const browser = useBrowser();
/** Flags are the same for all visitors of a product. */
let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product?.stop());

type Visitor = 'guest' | 'member' | 'subscriber';

interface FlagEffect {
  readonly flag: string;
  readonly value: string;
  readonly visitor: Visitor;
  readonly path: string;
  /** Visible without the flag and with it; each is absent in the other case. */
  readonly usual: (page: Page) => ReturnType<Page['locator']>;
  readonly changed: (page: Page) => ReturnType<Page['locator']>;
}

const link = (name: string | RegExp) => (page: Page) =>
  page.getByRole('main').getByRole('link', { name, exact: typeof name === 'string' });

const TRIAL = text('tiers:try');
const CHARGE = 'Free for 7 days, then $9.99 a week.';

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

async function openAs(visitor: Visitor) {
  if (visitor === 'guest') return openPage(browser(), product.url);
  const member = await openMember(browser(), product.url);
  if (visitor === 'subscriber') await subscribe(member.account, 'personal');
  return member;
}

const setFlag = (flag: string, value: string) => runOps(product, 'settings', 'set', flag, value);

/** Flags are read again after seconds. */
const untilShown = (page: Page, path: string, what: (page: Page) => ReturnType<Page['locator']>) =>
  until(`${path} changes`, async () => {
    await page.goto(path);
    return (await what(page).count()) > 0;
  });

describe('without flags', () => {
  it.each(EFFECTS)('$path is without the effect of $flag', async ({ visitor, path, usual, changed }) => {
    const { page, expectNoErrors, close } = await openAs(visitor);
    await page.goto(path);
    await usual(page).first().waitFor();
    await expect.poll(() => changed(page).count()).toBe(0);
    expectNoErrors();
    await close();
  });
});

describe('with flags that an operator has set', () => {
  beforeAll(async () => {
    await Promise.all(EFFECTS.map(({ flag, value }) => setFlag(flag, value)));
  });

  it.each(EFFECTS)('$flag = $value is seen on $path', async ({ visitor, path, usual, changed }) => {
    const { page, expectNoErrors, close } = await openAs(visitor);
    await untilShown(page, path, changed);
    await expect.poll(() => usual(page).count()).toBe(0);
    expectNoErrors();
    await close();
  });

  it('a highlighted offer is bought, or leads to all plans', async () => {
    const { page, expectNoErrors, close } = await openAs('member');
    await untilShown(page, '/upgrade', link(text('tiers:paywall.others')));
    await expect.poll(() => link(/^Buy/)(page).count()).toBe(1);
    await link(text('tiers:paywall.others'))(page).click();
    await link('Buy: 3 downloads')(page).waitFor();
    await page.goBack();
    await link('Buy: 10 downloads')(page).click();
    await page.waitForURL('**/checkout?*');
    await page.getByRole('heading', { name: '10 downloads' }).waitFor();
    expectNoErrors();
    await close();
  });
});

describe('surveys that an operator has switched on', () => {
  const dialog = (page: Page, name: string) => page.getByRole('dialog', { name: text(`surveys:${name}`) });

  it('ask a subscriber once, before an upload, which continues 2 s after the answer', async () => {
    await setFlag('popupSurveyKind', 'feature_ranking');
    const { page, expectNoErrors, close } = await openAs('subscriber');
    const upload = async () => {
      await page.goto('/');
      await untilHydrated(page);
      const file = { name: 'face.jpg', mimeType: 'image/jpeg', buffer: await blurredFace(120) };
      await page.locator('#upload-file, input[type=file]').first().setInputFiles(file);
    };
    // Flags are read again after seconds.
    await until('the survey is due', async () => {
      const response = await page.request.get('/uploads/uploader');
      return (await response.json()).isSurveyed;
    });
    await upload();
    await dialog(page, 'features.title')
      .getByRole('button', { name: text('surveys:features.start') })
      .click();
    for (const [rank, feature] of [
      ['first', 'speed'],
      ['second', 'faces'],
      ['third', 'video'],
    ] as const)
      await page.getByLabel(text(`surveys:features.${rank}`)).selectOption(feature);
    await untilBrieflyShown(page, '[role=dialog] [role=status]', text('surveys:thanks.title'), () =>
      page.getByRole('button', { name: text('surveys:send'), exact: true }).click(),
    );
    await page.waitForURL('**/{processing,result}?*');
    await upload();
    await page.waitForURL('**/{processing,result}?*');
    expectNoErrors();
    await close();
  });

  it('ask a new account about its photos after the plans', async () => {
    await setFlag('popupSurveyKind', 'onboarding');
    const { page, expectNoErrors, close } = await openAs('guest');
    await page.goto('/about/files');
    await untilHydrated(page);
    await page.getByRole('banner').getByRole('link', { name: 'Get started' }).click();
    await signUpByPopup(page);
    const survey = dialog(page, 'onboarding.title');
    await survey.getByRole('button', { name: text('surveys:onboarding.skip') }).click();
    await survey.waitFor({ state: 'detached' });
    const state = async () => (await page.request.get('/consents/state')).json();
    await expect.poll(state).toMatchObject({ hasSurvey: false });
    expectNoErrors();
    await close();
  });
});

describe('version', () => {
  const intro = (page: Page) => page.getByText('$0.99 for the first week').first();
  const trial = (page: Page) => page.getByText(CHARGE);

  it.each([
    ['ip', { stored: 'ft', isFreeTrialEnabled: 'true', isIntroPriceEnabled: 'false' }],
    ['ft', { stored: 'ip', isFreeTrialEnabled: 'false', isIntroPriceEnabled: 'true' }],
  ] as const)('%s of the address wins over the stored flags, up to the checkout', async (version, flags) => {
    const { isFreeTrialEnabled, isIntroPriceEnabled } = flags;
    await setFlag('isFreeTrialEnabled', isFreeTrialEnabled);
    await setFlag('isIntroPriceEnabled', isIntroPriceEnabled);
    const [forced, stored] = version === 'ip' ? [intro, trial] : [trial, intro];
    const { page, expectNoErrors, close } = await openAs('member');
    await untilShown(page, '/pricing', stored);
    await expect.poll(() => forced(page).count()).toBe(0);
    await page.goto(`/pricing?version=${version}`);
    await forced(page).waitFor();
    await expect.poll(() => stored(page).count()).toBe(0);
    await page.locator('main a[href*="personal_weekly"]').click();
    await page.waitForURL((url) => url.pathname === '/checkout' && url.searchParams.get('version') === version);
    const due = page.getByText(version === 'ip' ? '$0.99' : '$0.00', { exact: true });
    await due.first().waitFor();
    expectNoErrors();
    await close();
  });
});
