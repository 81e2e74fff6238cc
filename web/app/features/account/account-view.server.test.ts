import { DEFAULT_FLAGS, type PlanPrice, planPriceOf, priceOf, type User } from '@clearframe/contract';
import { describe, expect, it, test } from 'vitest';
import { ADA } from '../../../test/users';
import { type AccountData, accountViewOf } from './account-view.server';

const guest: User = { ...ADA, isGuest: true, role: 'guest', firebaseUid: null, email: null, source: null };

const subscribed = (changes: Partial<User['monetization']>): User => ({
  ...ADA,
  role: 'personal',
  monetization: { ...ADA.monetization, isSubscribed: true, subscriptionProvider: 'stripe', ...changes },
});

/** Catalogue ids are used as the provider's ids. */
function planPriceIn(user: User | null): PlanPrice | null {
  const price = priceOf(user?.monetization.priceId ?? '');
  return price?.kind === 'plan' ? price : null;
}

const viewOf = (user: User | null, account: Partial<AccountData> = {}, language = 'en') =>
  accountViewOf(
    {
      user,
      settings: DEFAULT_FLAGS,
      price: planPriceIn(user),
      subscription: null,
      open: [],
      past: [],
      video: null,
      pluginKeys: null,
      ...account,
    },
    language,
    (address) => new URL(address).pathname,
  );

describe('available tabs', () => {
  it.each<[string, User | null, string[]]>([
    ['an unknown visitor', null, ['general', 'subscription']],
    ['a guest', guest, ['general', 'subscription']],
    ['a member', ADA, ['general', 'subscription', 'pluginKey']],
    ['credits', { ...ADA, role: 'credits', availableCredits: 2 }, ['general', 'subscription', 'limits', 'pluginKey']],
    ['made free', { ...ADA, role: 'business', isFree: true }, ['general', 'limits', 'pluginKey']],
    ['a guest with a gift', { ...guest, role: 'business' }, ['general', 'subscription', 'limits']],
    ['personal', subscribed({ priceId: 'personal_weekly_usd' }), ['general', 'subscription', 'limits', 'pluginKey']],
    [
      'an open first payment',
      {
        ...ADA,
        role: 'credits',
        availableCredits: 1,
        monetization: { ...ADA.monetization, hasIncompleteSubscription: true },
      },
      ['general', 'subscription', 'pluginKey'],
    ],
  ])('%s', (_case, user, tabs) => expect(viewOf(user).tabs).toEqual(tabs));
});

describe('the plan', () => {
  it.each<[string, User | null, object]>([
    ['an unknown visitor', null, { plan: 'free', source: 'none' }],
    [
      'a current price',
      { ...subscribed({ priceId: 'business_yearly_eur' }), role: 'business' },
      { plan: 'business', source: 'stripe' },
    ],
    ['a former price', subscribed({ priceId: 'personal_weekly_former_usd' }), { plan: 'personal', source: 'stripe' }],
    ['an unknown price', subscribed({ priceId: 'old_deal' }), { plan: 'personal', source: 'stripe' }],
    [
      'mobile',
      { ...subscribed({ subscriptionProvider: 'mobile' }), role: 'business' },
      { plan: 'business', source: 'mobile' },
    ],
    [
      'a gift',
      { ...ADA, role: 'business', giftCode: { isActive: true, expiryAt: '2026-05-02T00:00:00.000Z' } },
      { plan: 'business', source: 'gift', endsAt: { text: 'May\u00a02,\u00a02026' } },
    ],
    [
      'a gift beside a subscription',
      {
        ...subscribed({ priceId: 'personal_weekly_usd' }),
        role: 'business',
        giftCode: { isActive: true, expiryAt: '2026-05-02T00:00:00.000Z' },
      },
      { plan: 'business', source: 'stripe', endsAt: null, giftEndsAt: { text: 'May\u00a02,\u00a02026' } },
    ],
    [
      'an expired gift',
      { ...ADA, giftCode: { isActive: false, expiryAt: '2026-01-02T00:00:00.000Z' } },
      { plan: 'free', source: 'none', endsAt: null },
    ],
  ])('of %s', (_case, user, plan) => expect(viewOf(user).subscription).toMatchObject(plan));
});

test('a guest has no reminder switch and no personal data', () => {
  expect(viewOf(guest)).toMatchObject({ member: null, preferences: { wantsEmailReminder: null, keepLocation: false } });
  expect(viewOf(ADA)).toMatchObject({
    member: { email: 'ada@example.com', provider: 'apple', since: { text: 'March\u00a031,\u00a02026' } },
    preferences: { wantsEmailReminder: true, keepLocation: false, defaultTools: null },
  });
  const keeping: User = { ...ADA, preferences: { ...ADA.preferences, keepLocation: true } };
  expect(viewOf(keeping).preferences.keepLocation).toBe(true);
});

test('dates are formatted in the visitor’s language', () => {
  expect(viewOf(ADA, {}, 'de').member?.since.text).toBe('31.\u00a0März\u00a02026');
});

test('saved default tools are in processing order', () => {
  const defaultAiPipeline = { colorEnhance: { model: 'teal' }, faceEnhance: { model: 'v2' } } as const;
  const user: User = { ...ADA, preferences: { ...ADA.preferences, defaultAiPipeline } };
  expect(viewOf(user).preferences.defaultTools).toEqual(['faceEnhance', 'colorEnhance']);
});

test('limits are passed on, unlimited as null', () => {
  const limits = { exports: 20, exportsUsed: 3 };
  const nextRenewImageDownloadLimitsDatetime = '2026-04-06T00:00:00.000Z';
  expect(viewOf({ ...ADA, limits, nextRenewImageDownloadLimitsDatetime, availableCredits: 4 }).limits).toEqual({
    exports: 20,
    exportsUsed: 3,
    resetsAt: { iso: nextRenewImageDownloadLimitsDatetime, text: 'April\u00a06,\u00a02026' },
    trial: null,
    credits: 4,
    video: null,
  });
  expect(viewOf({ ...ADA, limits: { exports: null, exportsUsed: 9 } }).limits.exports).toBeNull();
});

describe('a subscription', () => {
  const price = planPriceOf('personal', 'monthly', 'eur');
  const running = {
    subscriptionId: 'sub_1',
    status: 'active' as const,
    priceId: 'price_1',
    hasBeenCanceled: false,
    cancellationDate: null,
    currentPeriodEnd: '2026-05-02T00:00:00.000Z',
    trialEnd: null,
    portalSessionUrl: 'http://clearframe.test/portal/1',
  };
  const plan = (subscription: AccountData['subscription'], user = subscribed({})) =>
    viewOf(user, { price, subscription }).subscription;

  it('that renews shows the next charge', () =>
    expect(plan(running)).toMatchObject({
      plan: 'personal',
      price: { text: '25,99€', period: 'monthly' },
      nextChargeAt: { text: 'May\u00a02,\u00a02026' },
      endsAt: null,
      canCancel: true,
      canRestart: false,
      portalUrl: '/portal/1',
    }));

  it('in its trial is charged at its end', () =>
    expect(plan({ ...running, status: 'trialing' })).toMatchObject({
      isTrial: true,
      nextChargeAt: { text: 'May\u00a02,\u00a02026' },
    }));

  it('that was cancelled runs to its end and can be restarted by card only', () => {
    const cancelled = { ...running, hasBeenCanceled: true, cancellationDate: running.currentPeriodEnd };
    const ending = { nextChargeAt: null, endsAt: { text: 'May\u00a02,\u00a02026' }, canCancel: false };
    expect(plan(cancelled)).toMatchObject({ ...ending, canRestart: true });
    expect(plan(cancelled, subscribed({ subscriptionProvider: 'paypal' }))).toMatchObject({
      ...ending,
      canRestart: false,
    });
  });

  it('that is unpaid shows the plan that paying brings back, and can be cancelled', () =>
    expect(plan({ ...running, status: 'past_due' }, ADA)).toMatchObject({
      plan: 'personal',
      price: { text: '25,99€', period: 'monthly' },
      isPastDue: true,
      nextChargeAt: null,
      canCancel: true,
    }));

  it('that is unpaid beside another one promises no charge at the end of its period', () => {
    const other = { ...running, subscriptionId: 'sub_2', provider: 'paypal' as const };
    const othersOf = (status: 'active' | 'past_due') => {
      const open = [{ subscription: { ...other, status }, price }];
      return viewOf(subscribed({}), { price, subscription: running, open }).subscription.others;
    };
    expect(othersOf('past_due')).toMatchObject([{ isUnpaid: true, nextChargeAt: null, canCancel: true }]);
    expect(othersOf('active')).toMatchObject([{ isUnpaid: false, nextChargeAt: { text: 'May\u00a02,\u00a02026' } }]);
  });

  it('in its trial has a week’s downloads, and says what follows', () => {
    const trialing = { ...running, status: 'trialing' as const };
    const limitsOf = (changes: Partial<typeof trialing>, of = price) =>
      viewOf(subscribed({}), { price: of, subscription: { ...trialing, ...changes } }).limits.trial;
    expect(limitsOf({})).toEqual({
      paidFrom: { iso: running.currentPeriodEnd, text: 'May\u00a02,\u00a02026' },
      exports: 80,
      period: 'monthly',
    });
    expect(limitsOf({ hasBeenCanceled: true })).toMatchObject({ paidFrom: null });
    expect(limitsOf({}, planPriceOf('business', 'yearly', 'eur'))).toBeNull();
  });

  it('that ended is listed with its price', () => {
    const ended = { createdAt: '2026-01-02T00:00:00.000Z', endedAt: '2026-01-09T00:00:00.000Z' };
    const past = ['sub_1', 'sub_0'].map((subscriptionId) => ({
      subscription: { subscriptionId, status: 'canceled' as const, priceId: 'price_1', ...ended },
      price,
    }));
    expect(viewOf(ADA, { subscription: running, past }).subscription.past).toMatchObject([
      {
        subscriptionId: 'sub_0',
        plan: 'personal',
        price: { text: '25,99€' },
        to: { text: 'January\u00a09,\u00a02026' },
      },
    ]);
  });
});
