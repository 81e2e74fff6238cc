import type { TFunction } from 'i18next';
import { expect, it } from 'vitest';
import { printSizes } from './detail-row';

const t = ((key: string, { width, height }: { width: number; height: number }) =>
  `${width} x ${height} ${key.split('.').at(-1)}`) as unknown as TFunction<'result'>;

it('gives the size of a print in centimeters, and in English in inches too', () => {
  const picture = { width: 6000, height: 4000 };
  expect(printSizes(picture, 'de', t)).toEqual(['50.8 x 33.9 centimeters']);
  expect(printSizes(picture, 'en', t)).toEqual(['20 x 13.3 inches', '50.8 x 33.9 centimeters']);
});
