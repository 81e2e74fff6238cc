import { describe, expect, it } from 'vitest';
import {
  CURRENCIES,
  deprecatedPricesOf,
  introPriceOf,
  PACKS,
  PERIODS,
  PLANS,
  PRICES,
  packPriceOf,
  planPriceOf,
  priceOf,
} from './catalogue.js';
import { centsEach, centsPerWeek, discountPercent, formatMoney, formatPrice } from './currency.js';
import { type Action, may, type Role } from './roles.js';

describe('the catalogue', () => {
  it.each(CURRENCIES)('has the amounts of the decisions in %s', (currency) => {
    const cents = (plan: (typeof PLANS)[number]) =>
      PERIODS.map((period) => planPriceOf(plan, period, currency).amountCents);
    expect(cents('personal')).toEqual([999, 2599, 26099]);
    expect(cents('business')).toEqual([1999, 5199, 52099]);
    expect(PACKS.map((pack) => packPriceOf(pack, currency).amountCents)).toEqual([499, 999, 2499, 3999]);
    expect(PACKS.map((pack) => packPriceOf(pack, currency).exports)).toEqual([1, 3, 10, 20]);
    expect(PERIODS.map((period) => planPriceOf('personal', period, currency).exports)).toEqual([20, 80, 1040]);
    expect(PERIODS.map((period) => planPriceOf('business', period, currency).exports)).toEqual([null, null, null]);
  });

  it('has unique price ids', () => {
    expect(new Set(PRICES.map(({ id }) => id)).size).toBe(PRICES.length);
    for (const price of PRICES) expect(priceOf(price.id)).toBe(price);
    expect(priceOf('personal_weekly_gbp')).toBeUndefined();
  });

  it('has an intro offer for weekly plans only, of 0.99', () => {
    for (const plan of PLANS) {
      expect(introPriceOf(planPriceOf(plan, 'weekly', 'eur').id)).toMatchObject({
        plan,
        amountCents: 99,
        currency: 'eur',
      });
      expect(introPriceOf(planPriceOf(plan, 'monthly', 'eur').id)).toBeUndefined();
    }
  });

  it('keeps former prices next to current ones', () => {
    const [former] = deprecatedPricesOf('personal', 'weekly', 'usd');
    expect(former).toMatchObject({ plan: 'personal', period: 'weekly', currency: 'usd', isDeprecated: true });
    expect(planPriceOf('personal', 'weekly', 'usd').isDeprecated).toBe(false);
  });
});

describe('displayed prices', () => {
  it.each([
    [999, 'usd', '$9.99'],
    [26099, 'usd', '$260.99'],
    [99, 'usd', '$0.99'],
    [0, 'usd', '$0.00'],
    [999, 'eur', '9,99€'],
    [5, 'eur', '0,05€'],
    [52099, 'eur', '520,99€'],
    [-150, 'usd', '-$1.50'],
  ] as const)('%i cents in %s are %s', (cents, currency, text) => expect(formatPrice(cents, currency)).toBe(text));

  it.each([
    [999, 'eur', 'de', '9,99\u00a0€'],
    [999, 'eur', 'en', '€9.99'],
    [123450, 'usd', 'en', '$1,234.50'],
    [123450, 'usd', 'pt-BR', '$\u00a01.234,50'],
  ] as const)('%i cents in %s that are no price are written as in %s', (cents, currency, language, text) =>
    expect(formatMoney(cents, currency, language)).toBe(text),
  );

  it('packs cost less for each download', () => {
    expect(PACKS.map((pack) => centsEach(packPriceOf(pack, 'usd')))).toEqual([499, 333, 250, 200]);
  });

  it.each(CURRENCIES)('discount badges in %s are 35, 50 and 16 %', (currency) => {
    for (const plan of PLANS) {
      expect(discountPercent(plan, 'monthly', 'weekly', currency)).toBe(35);
      expect(discountPercent(plan, 'yearly', 'weekly', currency)).toBe(50);
      expect(discountPercent(plan, 'yearly', 'monthly', currency)).toBe(16);
      expect(discountPercent(plan, 'weekly', 'weekly', currency)).toBe(0);
    }
  });

  it.each([
    ['personal', [999, 650, 502]],
    ['business', [1999, 1300, 1002]],
  ] as const)('%s costs %j cents per week', (plan, cents) => {
    expect(PERIODS.map((period) => centsPerWeek(planPriceOf(plan, period, 'eur')))).toEqual(cents);
  });
});

describe('what a plan allows', () => {
  const roles: readonly Role[] = ['guest', 'base', 'credits', 'personal', 'business'];
  const allowedRoles = (action: Action) => roles.filter((role) => may({ role, isGuest: role === 'guest' }, action));
  it.each<[Action, readonly Role[]]>([
    ['batch', ['business']],
    ['plugin_key', ['business']],
    ['video', ['personal', 'business']],
    ['premium_formats', ['business']],
  ])('%s', (action, allowed) => expect(allowedRoles(action)).toEqual(allowed));

  it('gives a guest with a gift code no plug-in key', () => {
    expect(may({ role: 'business', isGuest: true }, 'plugin_key')).toBe(false);
  });
});
