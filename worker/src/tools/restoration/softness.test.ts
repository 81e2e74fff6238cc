import { describe, expect, it } from 'vitest';
import { blur, createRaster, type Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import { measureSoftness } from './softness.js';

/**
 * Equal contrast in every octave, like natural scenes: a sum of ever finer random pictures.
 * @param fine contrast of the finest four, relative to the others: more than 1 is like foliage
 */
async function scene(side: number, fine = 1): Promise<Raster> {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const sum = new Float32Array(side * side * 3).fill(128);
  for (let cells = 4; cells <= side; cells *= 2) {
    const small = createRaster(cells, cells);
    for (let pixel = 0; pixel < cells * cells; pixel++) small.data.fill(random() * 255, pixel * 3, pixel * 3 + 3);
    const layer = await resize(small, side, side, 'cubic');
    for (let index = 0; index < sum.length; index++)
      sum[index] = (sum[index] ?? 0) + ((layer.data[index] ?? 0) - 128) * 0.2 * (cells >= side / 8 ? fine : 1);
  }
  return { width: side, height: side, data: new Uint8Array(Uint8ClampedArray.from(sum).buffer) };
}

async function soften(sharp: Raster, by: number): Promise<Raster> {
  const unfocused = await blur(sharp, by * 0.6);
  const small = await resize(unfocused, Math.round(sharp.width / by), Math.round(sharp.height / by), 'cubic');
  return await resize(small, sharp.width, sharp.height, 'cubic');
}

describe('measureSoftness', () => {
  const whole = { x: 0, y: 0, width: 512, height: 512 };

  it('measures a sharp picture as sharp', async () => {
    expect(measureSoftness(await scene(512), whole)).toBeLessThan(1.25);
  });

  it.each([2, 4, 8])('detects that a picture was enlarged %i times', async (factor) => {
    const softness = measureSoftness(await soften(await scene(512), factor), whole);
    expect(softness).toBeGreaterThan(factor * 0.75);
    expect(softness).toBeLessThan(factor * 1.3);
  });

  it('sees slight softness in foliage too, and none in sharp foliage', async () => {
    const foliage = await scene(512, 1.5);
    expect(measureSoftness(foliage, whole)).toBe(1);
    expect(measureSoftness(await soften(foliage, 1.5), whole)).toBeGreaterThan(1.2);
    expect(measureSoftness(await soften(foliage, 2), whole)).toBeGreaterThan(1.7);
  });

  it('measures a box independently of its surroundings', async () => {
    const sharp = await scene(512);
    const soft = await soften(sharp, 4);
    const half = 256 * 512 * 3;
    const data = Uint8Array.from([...sharp.data.subarray(0, half), ...soft.data.subarray(half)]);
    const mixed = { width: 512, height: 512, data };
    expect(measureSoftness(mixed, { x: 0, y: 0, width: 512, height: 256 })).toBeLessThan(1.3);
    expect(measureSoftness(mixed, { x: 0, y: 256, width: 512, height: 256 })).toBeGreaterThan(2.8);
  });

  it('measures flat or tiny pictures as sharp, so that they are not changed', () => {
    expect(measureSoftness(createRaster(300, 300), { x: 0, y: 0, width: 300, height: 300 })).toBe(1);
    expect(measureSoftness(createRaster(300, 300), { x: 5, y: 5, width: 20, height: 20 })).toBe(1);
  });
});
