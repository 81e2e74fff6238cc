import { describe, expect, it } from 'vitest';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import { crop, luma, type Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import { degrade, difference, portrait, similarity } from '../../test/quality.js';
import { addDetail, type DetailOptions } from './detail.js';

const SOFTNESS = 2;
const context = { sessions: new Sessions(await readManifest(modelsFolder()), 2), signal: new AbortController().signal };

async function detailed(
  base: Raster,
  { amount = 1, clarity = 0, features = null }: Partial<DetailOptions> = {},
): Promise<Raster> {
  const result = { ...base, data: Uint8Array.from(base.data) };
  await addDetail(context, result, { softness: SOFTNESS, amount, clarity, features });
  return result;
}

/** Mean square of the difference between horizontal neighbors. */
function sharpnessOf(raster: Raster): number {
  const plane = luma(raster);
  return plane.reduce((sum, value, at) => sum + (value - (plane[at + 1] ?? value)) ** 2, 0) / plane.length;
}

async function shownByInput(raster: Raster): Promise<Raster> {
  const small = await degrade(raster, { blur: 1.2 });
  return await resize(small, Math.round(raster.width / SOFTNESS), Math.round(raster.height / SOFTNESS), 'cubic');
}

describe('addDetail', () => {
  it('makes a soft face crisper for at most .01 of similarity, without changing what the input shows', async () => {
    const truth = await portrait();
    const base = await degrade(truth, { blur: 1, reduction: SOFTNESS });
    const result = await detailed(base, { clarity: 0.2 });
    expect(sharpnessOf(result)).toBeGreaterThan(1.1 * sharpnessOf(base));
    expect(similarity(result, truth)).toBeGreaterThan(similarity(base, truth) - 0.01);
    expect(difference(await shownByInput(result), await shownByInput(base))).toBeLessThan(1);
  });

  it('adds the amount that is asked for, and more at features', async () => {
    const base = await degrade(await portrait(), { blur: 1, reduction: SOFTNESS });
    const everywhere = new Float32Array(base.width * base.height).fill(1);
    const [half, whole, featured] = [
      await detailed(base, { amount: 0.5 }),
      await detailed(base),
      await detailed(base, { features: everywhere }),
    ];
    expect(difference(half, base) / difference(whole, base)).toBeCloseTo(0.5, 1);
    expect(difference(featured, base)).toBeGreaterThan(1.1 * difference(whole, base));
  });

  it('raises the contrast that the picture shows, nearer to the truth', async () => {
    const truth = await portrait();
    const base = await degrade(truth, { blur: 1, reduction: SOFTNESS });
    const clear = await detailed(base, { amount: 0, clarity: 0.2 });
    expect(sharpnessOf(clear)).toBeGreaterThan(1.05 * sharpnessOf(base));
    expect(similarity(clear, truth)).toBeGreaterThan(similarity(base, truth));
  });

  it('takes odd sizes', async () => {
    const base = await degrade(crop(await portrait(), { x: 0, y: 0, width: 151, height: 97 }), { blur: 1 });
    const result = await detailed(base);
    expect([result.width, result.height, result.data.length]).toEqual([151, 97, 151 * 97 * 3]);
    expect(difference(result, base)).toBeGreaterThan(0);
  });

  it('leaves a flat picture flat', async () => {
    const flat = { width: 64, height: 64, data: new Uint8Array(64 * 64 * 3).fill(120) };
    const values = (await detailed(flat)).data;
    expect(Math.max(...values) - Math.min(...values)).toBeLessThanOrEqual(2);
  });
});
