import { describe, expect, it } from 'vitest';
import { luma, type Raster, resize } from '../../rasters/raster.js';
import { degrade, difference, portrait } from '../../test/quality.js';
import { addDetail } from './crisp.js';

const SOFTNESS = 4;

async function crisp(sharp: (truth: Raster) => Raster, sharpness = 1) {
  const truth = await portrait();
  const base = await degrade(truth, { blur: 2.5, reduction: SOFTNESS });
  const result = { ...base, data: Uint8Array.from(base.data) };
  addDetail(result, sharp(truth), { softness: SOFTNESS, sharpness, reliability: 0, features: null });
  return { base, result };
}

function upsideDown({ width, height, data }: Raster): Raster {
  const rows = Array.from({ length: height }, (_, y) =>
    data.subarray((height - 1 - y) * width * 3, (height - y) * width * 3),
  );
  return { width, height, data: new Uint8Array(Buffer.concat(rows)) };
}

/** Mean square of the difference between horizontal neighbours. */
function sharpnessOf(raster: Raster): number {
  const plane = luma(raster);
  return plane.reduce((sum, value, at) => sum + (value - (plane[at + 1] ?? value)) ** 2, 0) / plane.length;
}

async function shownByInput(raster: Raster): Promise<Raster> {
  const small = await degrade(raster, { blur: 2.5 });
  return await resize(small, Math.round(raster.width / SOFTNESS), Math.round(raster.height / SOFTNESS), 'cubic');
}

describe('addDetail', () => {
  it('makes a soft face crisper without changing what the input shows', async () => {
    const { base, result } = await crisp((truth) => truth);
    expect(sharpnessOf(result)).toBeGreaterThan(1.1 * sharpnessOf(base));
    expect(difference(await shownByInput(result), await shownByInput(base))).toBeLessThan(1);
  });

  it('makes it crisper, the more sharpness is wanted', async () => {
    const [less, more] = [await crisp((truth) => truth, 0.6), await crisp((truth) => truth, 1.25)];
    expect(sharpnessOf(more.result)).toBeGreaterThan(sharpnessOf(less.result));
  });

  it('bounds a view that contradicts the input', async () => {
    const agreeing = await crisp((truth) => truth);
    const { base, result } = await crisp(upsideDown);
    expect(difference(await shownByInput(result), await shownByInput(base))).toBeLessThan(1);
    expect(difference(result, base)).toBeLessThan(difference(agreeing.result, agreeing.base));
  });

  it('leaves a flat picture flat', () => {
    const flat = { width: 64, height: 64, data: new Uint8Array(64 * 64 * 3).fill(120) };
    addDetail(flat, flat, { softness: 2, sharpness: 1, reliability: 0, features: null });
    expect(new Set(flat.data)).toEqual(new Set([120]));
  });
});
