import { LOCALES, PACKS, PERIODS, PLANS } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { sampleOf } from '../../../support/browser/javascript.ts';
import { idOf, member } from '../../../support/payments/buyers.ts';
import {
  amountsIn,
  type Currency,
  chargeOf,
  checkoutAmounts,
  offeredAmounts,
} from '../../../support/payments/shown-prices.ts';

const CURRENCIES: readonly Currency[] = ['eur', 'usd'];
const planPrices = PLANS.flatMap((plan) => PERIODS.map((period) => `${plan}_${period}`));
const NAMES = [...PACKS, ...planPrices];

describe.each(sampleOf(CURRENCIES))('prices shown in %s are the prices charged, in every language', (currency) => {
  const pricesOf = async () => {
    const charges = await Promise.all(
      NAMES.map(async (name) => [`${name}_${currency}`, await chargeOf(`${name}_${currency}`)] as const),
    );
    return new Map(charges);
  };

  it('in the checkout and among the offers', async () => {
    const [buyer, charged] = await Promise.all([member(), pricesOf()]);
    for (const [price, cents] of charged) {
      expect(cents, price).toBeGreaterThan(0);
      const shown = await checkoutAmounts(buyer, `/checkout?priceId=${idOf(price)}&freeTrialEnabled=false`, currency);
      expect(shown.map(({ amounts }) => amounts)).toEqual(LOCALES.map(() => [cents, cents]));
    }
    for (const period of PERIODS) {
      const offered = new Map(
        [...charged].filter(([price]) => !PLANS.some((plan) => price.startsWith(plan)) || price.includes(period)),
      );
      const expected = Object.fromEntries([...offered].map(([price, cents]) => [idOf(price), cents]));
      for (const { language, byPriceId } of await offeredAmounts(buyer, `/upgrade?period=${period}`, currency))
        expect(byPriceId, `${language}, ${period}`).toEqual(expected);
    }
  });

  it('for the first week', async () => {
    const [buyer, cents] = await Promise.all([member(), chargeOf(`personal_weekly_${currency}`, { version: 'ip' })]);
    expect(cents).toBe(99);
    const path = `/checkout?priceId=${idOf(`personal_weekly_${currency}`)}&version=ip`;
    const shown = await checkoutAmounts(buyer, path, currency);
    expect(shown.map(({ amounts }) => amounts)).toEqual(LOCALES.map(() => [cents, cents]));
  });
});

it('amounts are read from the text of a page', () => {
  expect(amountsIn('<p>$9<!-- -->.99</p><b>1,99€</b>', 'usd')).toEqual([999]);
  expect(amountsIn('<p>$9.99</p><b>1040,99€</b>', 'eur')).toEqual([104_099]);
});
