import {
  CURRENCIES,
  formatPrice,
  LOCALES,
  PERIODS,
  type Period,
  type Plan,
  PRICES,
  type User,
} from '@clearframe/contract';
import { describe, expect, test } from 'vitest';
import { contextWith, type FlagChanges } from '../../../test/offered-prices';
import { ADA, memberCookie } from '../../../test/users';
import { TASK_ID, task } from '../../../test/wire';
import { plansLink } from '../home/home.server';
import { finalPlan } from './current-plan';
import type { OffersView } from './offers.server';
import { offersFor } from './offers.server';
import { trialDaysFrom } from './trial-days.server';

interface Visit {
  readonly flags?: FlagChanges;
  readonly user?: User | null;
  readonly path?: string;
  readonly headers?: Record<string, string>;
}

async function offersOf({ flags, user = null, path = '/upgrade', headers = {} }: Visit): Promise<OffersView> {
  const request = new Request(`http://clearframe.test${path}`, { headers });
  return offersFor(request, await contextWith(flags), user);
}

const plan = ({ plansByPeriod }: OffersView, name: Plan, period: Period = 'weekly') => {
  const offer = plansByPeriod[period].find((one) => one.plan === name);
  if (!offer) throw new Error(name);
  return offer;
};

const subscriber = (priceId: string): User => ({
  ...ADA,
  role: priceId.startsWith('business') ? 'business' : 'personal',
  monetization: {
    ...ADA.monetization,
    isSubscribed: true,
    priceId,
    subscriptionProvider: 'stripe',
    trialAvailable: false,
    introAvailable: false,
    openSubscription: { provider: 'stripe', priceId, state: 'running', hasIntro: false },
  },
});

describe('displayed prices', () => {
  test.each(CURRENCIES.flatMap((currency) => LOCALES.map((locale) => [currency, locale] as const)))(
    'in %s are those that are charged, also in %s',
    async (currency, locale) => {
      const offers = await offersOf({
        headers: { 'x-sandbox-country': currency === 'eur' ? 'DE' : 'US', 'accept-language': locale.replace('_', '-') },
      });
      const shown = [...PERIODS.flatMap((period) => offers.plansByPeriod[period]), ...offers.packs];
      expect(shown).toHaveLength(10);
      for (const { priceId, price } of shown) {
        const charged = PRICES.find(({ id }) => id === priceId);
        expect(price).toBe(charged && formatPrice(charged.amountCents, currency));
      }
    },
  );

  test('of longer periods are also shown for a week, with the saving', async () => {
    const offers = await offersOf({});
    expect(PERIODS.map((period) => plan(offers, 'personal', period).pricePerWeek)).toEqual([null, '$6.50', '$5.02']);
    expect(offers.discounts).toEqual({ weekly: 0, monthly: 35, yearly: 50 });
  });

  test('of a monthly subscriber are compared with the month', async () => {
    const { discounts, period } = await offersOf({ user: subscriber('personal_monthly_usd') });
    expect(period).toBe('monthly');
    expect(discounts).toEqual({ weekly: 0, monthly: 0, yearly: 16 });
  });
});

test('a photo that is paid for has no price of its own', async () => {
  const context = await contextWith({}, { [`/tasks/${TASK_ID}`]: task({ export_state: 'preparing' }) });
  const headers = { cookie: await memberCookie(context) };
  const packsOf = async (path: string) => {
    const offers = await offersFor(new Request(`http://clearframe.test${path}`, { headers }), context, ADA);
    return [offers.isPhotoPaid, offers.packs.map(({ pack }) => pack)];
  };
  expect(await packsOf(`/upgrade?taskId=${TASK_ID}`)).toEqual([
    true,
    ['three_exports', 'ten_exports', 'twenty_exports'],
  ]);
  expect(await packsOf('/upgrade')).toEqual([false, expect.arrayContaining(['single_export'])]);
});

describe('the plan of a visitor who has the best one', () => {
  test('can be paid for other periods, with the saving', async () => {
    const offers = await offersOf({ user: subscriber('business_monthly_usd') });
    expect(finalPlan(offers)).toMatchObject({ plan: 'business', action: 'none' });
    expect(offers.current).toEqual({ plan: 'business', period: 'monthly', price: '$51.99' });
    expect(PERIODS.map((period) => plan(offers, 'business', period).action)).toEqual([
      'change_period',
      'none',
      'change_period',
    ]);
    expect(offers.discounts.yearly).toBe(16);
  });

  test('is shown to a gift’s owner, without a price', async () => {
    const giftCode = { isActive: true, expiryAt: '2099-05-02T00:00:00.000Z' };
    const offers = await offersOf({ user: { ...ADA, role: 'business', giftCode } });
    expect(finalPlan(offers)?.plan).toBe('business');
    expect(offers.current).toBeNull();
  });

  test('is not shown while another one is offered', async () => {
    expect(finalPlan(await offersOf({ user: subscriber('personal_weekly_usd') }))).toBeNull();
    expect(finalPlan(await offersOf({ user: ADA }))).toBeNull();
    expect(finalPlan(await offersOf({}))).toBeNull();
  });
});

describe('offers', () => {
  test('name a week’s downloads for the trial of every period', async () => {
    const offers = await offersOf({});
    expect(PERIODS.map((period) => plan(offers, 'personal', period).trialExports)).toEqual([20, 20, 20]);
    expect(plan(offers, 'business', 'yearly').trialExports).toBeNull();
  });

  test('of a subscriber have no packs and not the running price', async () => {
    const offers = await offersOf({ user: subscriber('personal_weekly_usd') });
    expect(offers).toMatchObject({ isPremium: true, packs: [] });
    expect(plan(offers, 'personal').action).toBe('none');
    expect(plan(offers, 'personal', 'yearly').action).toBe('change_period');
    expect(plan(offers, 'business').action).toBe('upgrade');
  });

  test('of a Business subscriber have no cheaper plan', async () => {
    const { plansByPeriod } = await offersOf({ user: subscriber('business_weekly_usd') });
    expect(plansByPeriod.weekly.map(({ action }) => action)).toEqual(['none', 'none']);
  });

  test.each<[string, Partial<User>]>([
    ['a free account', { isFree: true, role: 'business' }],
    ['a gift code', { giftCode: { isActive: true, expiryAt: '2030-01-01T00:00:00.000Z' }, role: 'business' }],
  ])('of %s are none', async (_, changes) => {
    const offers = await offersOf({ user: { ...ADA, ...changes } });
    expect(offers.plansByPeriod.yearly.map(({ action }) => action)).toEqual(['none', 'none']);
    expect(offers.packs).toEqual([]);
  });
});

describe('the flag', () => {
  test('isFreeTrialEnabled offers the trial', async () => {
    expect((await offersOf({})).hasTrial).toBe(true);
    expect((await offersOf({ flags: { isFreeTrialEnabled: false } })).hasTrial).toBe(false);
  });

  test('isIntroPriceEnabled offers the first week at 0.99', async () => {
    expect(plan(await offersOf({}), 'personal').introPrice).toBeNull();
    const offers = await offersOf({ flags: { isIntroPriceEnabled: true } });
    expect(plan(offers, 'personal').introPrice).toBe('$0.99');
    expect(plan(offers, 'personal', 'monthly').introPrice).toBeNull();
  });

  test.each([
    ['ip', { hasTrial: false, introPrice: '$0.99' }],
    ['ft', { hasTrial: true, introPrice: null }],
  ])('version=%s wins over the stored ones', async (version, expected) => {
    const flags = { isFreeTrialEnabled: version === 'ip', isIntroPriceEnabled: version === 'ft' };
    const offers = await offersOf({ flags, path: `/upgrade?version=${version}` });
    expect(plan(offers, 'personal')).toMatchObject(expected);
  });

  test.each([true, false])('psPlugin shows the feature of the plug-in: %s', async (psPlugin) => {
    const { features } = plan(await offersOf({ flags: { psPlugin } }), 'business');
    expect(features.some(({ textKey }) => textKey === 'features.plugin')).toBe(psPlugin);
  });

  test.each(['ten_exports', 'tenExports'])('highlightedOtpStrategy shows the pack %s alone', async (name) => {
    const flags = { highlightedOtpStrategy: name, businessTierWeeklyHighlighted: true };
    expect((await offersOf({ flags })).presentation.highlight).toEqual({ pack: 'ten_exports' });
    // Subscribers aren't offered packs.
    const { presentation } = await offersOf({ flags, user: subscriber('personal_weekly_usd') });
    expect(presentation.highlight).toEqual({ plan: 'business' });
  });

  test('businessTierWeeklyHighlighted shows weekly Business alone to who can buy it', async () => {
    const flags = { businessTierWeeklyHighlighted: true };
    expect((await offersOf({ flags })).presentation.highlight).toEqual({ plan: 'business' });
    const { presentation } = await offersOf({ flags, user: subscriber('business_weekly_usd') });
    expect(presentation.highlight).toBeNull();
  });

  test('compliantPriceEnabled puts the charge into the button', async () => {
    expect((await offersOf({})).presentation.hasChargeInButton).toBe(true);
    const { presentation } = await offersOf({ flags: { compliantPriceEnabled: false } });
    expect(presentation.hasChargeInButton).toBe(false);
  });

  test('of a label experiment changes its button', async () => {
    expect((await offersOf({})).presentation).toMatchObject({ trialLabel: null, payNowLabel: null });
    const flags = { expFreeTrialPaywallCtaLabel: 'start', expFreeTrialPaywallPayNowLabel: 'Go' };
    expect((await offersOf({ flags })).presentation).toMatchObject({ trialLabel: 'start', payNowLabel: 'Go' });
  });

  test('businessCustomPriceEnabled asks for contact in place of a purchase', async () => {
    const offers = await offersOf({ flags: { businessCustomPriceEnabled: true } });
    expect(plan(offers, 'business').action).toBe('contact');
    expect(plan(offers, 'personal').action).toBe('subscribe');
  });

  test('disableEmailReminder removes the reminder from the days of a trial', () => {
    const days = (disableEmailReminder: boolean) =>
      trialDaysFrom(new Date('2026-11-23T12:00:00Z'), 'de', { disableEmailReminder });
    expect(days(false)).toEqual({
      today: { iso: '2026-11-23', text: '23.\u00a0November' },
      reminder: { day: 4, date: { iso: '2026-11-27', text: '27.\u00a0November' } },
      end: { day: 7, date: { iso: '2026-11-30', text: '30.\u00a0November' } },
    });
    expect(days(true).reminder).toBeNull();
  });

  test('shouldForceHomeFreeTrial offers guests the trial first on the home page', async () => {
    const link = async (flags: FlagChanges, isGuest = true) =>
      plansLink(new Request('http://clearframe.test/'), await contextWith(flags), { isGuest });
    const flags = { shouldForceHomeFreeTrial: true };
    expect(await link(flags)).toMatchObject({ kind: 'primary', to: '/upgrade?previousAction=home_trial' });
    expect(await link({})).toMatchObject({ kind: 'quiet', to: '/pricing' });
    expect(await link(flags, false)).toMatchObject({ to: '/pricing' });
    expect(await link({ ...flags, isFreeTrialEnabled: false })).toMatchObject({ to: '/pricing' });
  });
});
