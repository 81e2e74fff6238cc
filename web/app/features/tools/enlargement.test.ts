import { expect, test } from 'vitest';
import { enlargementsFor, offeredFactor, outputSizesFor } from './enlargement';

const offered = (width: number, height: number, maxSide = 2048) =>
  enlargementsFor({ width, height }, maxSide).map(({ factor, size, isCapped }) => [
    factor,
    size && `${size.width}x${size.height}`,
    isCapped,
  ]);

test.each([
  [
    500,
    400,
    2048,
    [
      ['auto', null, false],
      ['1', '500x400', false],
      ['2', '1000x800', false],
      ['4', '2000x1600', false],
    ],
  ],
  [
    800,
    600,
    2048,
    [
      ['auto', null, false],
      ['1', '800x600', false],
      ['2', '1600x1200', false],
      ['4', '2048x1536', true],
    ],
  ],
  [
    1600,
    1200,
    2048,
    [
      ['auto', null, false],
      ['1', '1600x1200', false],
      ['2', '2048x1536', true],
    ],
  ],
  [
    1600,
    1200,
    4096,
    [
      ['auto', null, false],
      ['1', '1600x1200', false],
      ['2', '3200x2400', false],
      ['4', '4096x3072', true],
    ],
  ],
  [
    2048,
    900,
    2048,
    [
      ['auto', null, false],
      ['1', '2048x900', false],
    ],
  ],
  [
    6000,
    4000,
    2048,
    [
      ['auto', null, false],
      ['1', '2048x1365', false],
    ],
  ],
])('a photo of %i x %i pixels can have, within %i, the sizes %j', (width, height, maxSide, sizes) => {
  expect(offered(width, height, maxSide)).toEqual(sizes);
});

test('every factor is offered while the size is unknown', () => {
  expect(enlargementsFor(null, 2048).map(({ factor }) => factor)).toEqual(['auto', '1', '2', '4']);
});

test('a factor that is not offered is shown as the size that it gave', () => {
  const sizes = enlargementsFor({ width: 1600, height: 1200 }, 2048);
  expect([offeredFactor('4', sizes), offeredFactor('1', sizes), offeredFactor('auto', sizes)]).toEqual([
    '2',
    '1',
    'auto',
  ]);
});

test('a photo larger than standard results can have its own size, and be enlarged up to 100 megapixels', () => {
  const camera = { width: 6000, height: 4000 };
  expect(outputSizesFor(camera, 2048)).toEqual([
    { outputSize: 'standard', size: { width: 2048, height: 1365 } },
    { outputSize: 'original', size: camera },
  ]);
  expect(enlargementsFor(camera, 2048, 'original').slice(1)).toEqual([
    { factor: '1', size: camera, isCapped: false },
    { factor: '2', size: { width: 12_000, height: 8000 }, isCapped: false },
    { factor: '4', size: { width: 12_247, height: 8164 }, isCapped: true },
  ]);
  for (const small of [{ width: 2048, height: 1365 }, null]) expect(outputSizesFor(small, 2048)).toEqual([]);
});
