import { expect, it } from 'vitest';
import type { Raster } from '../../rasters/raster.js';
import { fillHoles } from './fill-holes.js';

const { signal } = new AbortController();
const SIZE = { width: 96, height: 64 };

/** Diagonal stripes of eight pixels in two colors. */
function stripes(): Raster {
  const data = new Uint8Array(SIZE.width * SIZE.height * 3);
  for (let at = 0; at < SIZE.width * SIZE.height; at++) {
    const isLight = ((at % SIZE.width) + Math.floor(at / SIZE.width)) % 16 < 8;
    data.set(isLight ? [220, 180, 120] : [40, 60, 110], 3 * at);
  }
  return { ...SIZE, data };
}

const line = (from: number, to: number): Uint8Array =>
  Uint8Array.from({ length: SIZE.width * SIZE.height }, (_, at) => {
    const y = Math.floor(at / SIZE.width);
    return y >= from && y < to ? 1 : 0;
  });

/** White where there are holes. */
function scratched(truth: Raster, holes: Uint8Array): Raster {
  const data = truth.data.map((value, at) => (holes[Math.floor(at / 3)] ? 255 : value));
  return { ...SIZE, data };
}

const meanError = (picture: Raster, truth: Raster, holes: Uint8Array): number => {
  const errors = [...picture.data].map((value, at) => Math.abs(value - (truth.data[at] as number)));
  return errors.reduce((sum, error) => sum + error, 0) / (3 * holes.filter((hole) => hole).length);
};

it('continues what is around a hole, the same each time, and changes nothing else', async () => {
  const truth = stripes();
  const holes = line(30, 35);
  const picture = scratched(truth, holes);
  await fillHoles(picture, holes, signal);
  expect(meanError(picture, truth, holes)).toBeLessThan(10);
  for (const [at, value] of picture.data.entries()) if (!holes[Math.floor(at / 3)]) expect(value).toBe(truth.data[at]);
  const again = scratched(truth, holes);
  await fillHoles(again, holes, signal);
  expect(again).toEqual(picture);
});

it('takes the shade of the surroundings where no patch has it', async () => {
  const slope = { ...SIZE, data: stripes().data.map((_, at) => 60 + Math.floor(at / 3 / SIZE.width) * 2) };
  const holes = line(0, 6);
  const picture = scratched(slope, holes);
  await fillHoles(picture, holes, signal);
  expect(meanError(picture, slope, holes)).toBeLessThan(10);
});

it.each([
  ['a picture smaller than a patch', { width: 5, height: 3 }],
  ['a hole over all but a corner', { width: 20, height: 20 }],
])('fills %s as well as it can', async (_what, { width, height }) => {
  const picture = { width, height, data: new Uint8Array(width * height * 3).fill(90) };
  const holes = new Uint8Array(width * height).fill(1, 1);
  picture.data.fill(255, 3);
  await fillHoles(picture, holes, signal);
  expect(new Set(picture.data)).toEqual(new Set([90]));
});

it('ends when it is cancelled', async () => {
  const holes = line(10, 50);
  await expect(fillHoles(scratched(stripes(), holes), holes, AbortSignal.abort())).rejects.toThrow('abort');
});
