import { packPriceOf, planPriceOf } from '@clearframe/contract';
import { expect, it } from 'vitest';
import { nameOfPrice } from './price-names.js';

const WEEKLY = planPriceOf('personal', 'weekly', 'usd').id;

it('names plans and packs in the language of the mail', () => {
  expect(nameOfPrice(WEEKLY, 'de')).toBe('Clearframe Privat (Wöchentlich)');
  expect(nameOfPrice(planPriceOf('personal', 'monthly', 'usd').id, 'en')).toBe('Clearframe Personal (Lunar, 4 weeks)');
  expect(nameOfPrice(packPriceOf('single_export', 'usd').id, 'en')).toBe('Clearframe: 1 download');
});

it('marks Arabic names, which start with Latin letters, as right to left', () => {
  expect(nameOfPrice(WEEKLY, 'ar')).toMatch(/^\u200fClearframe/);
});
