import type { AiPipeline } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import { blur, createRaster, crop, luma, type Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import { cat, degrade, difference, page, portrait, similarity } from '../../test/quality.js';
import { runPipeline } from '../pipeline/pipeline.js';
import { measureSoftness } from '../restoration/softness.js';

const sessions = new Sessions(await readManifest(modelsFolder()), 2);
type Options = NonNullable<AiPipeline['backgroundEnhance']>;

async function enhanced(input: Raster, backgroundEnhance: Options = { model: 'base' }): Promise<Raster> {
  const options = { signal: new AbortController().signal, onProgress: () => undefined };
  return (await runPipeline(sessions, input, { backgroundEnhance }, options)).raster;
}

function paint(width: number, height: number, level: (x: number, y: number) => number): Raster {
  const raster = createRaster(width, height);
  for (let at = 0; at < width * height; at++) {
    raster.data.fill(Math.round(level(at % width, Math.floor(at / width))), at * 3, at * 3 + 3);
  }
  return raster;
}

async function fineContrast(picture: Raster): Promise<number> {
  return difference(picture, await blur(picture, 2));
}

describe('background_enhance', () => {
  it('brings a noisy picture closer to its original, v1 more strongly', async () => {
    const original = await cat();
    const noisy = await degrade(original, { noise: 14, jpeg: 90 });
    const base = await enhanced(noisy);
    const v1 = await enhanced(noisy, { model: 'v1' });
    const before = similarity(noisy, original);
    expect(similarity(base, original) - before).toBeGreaterThan(0.05);
    expect(similarity(v1, original) - before).toBeGreaterThan(0.05);
    expect(difference(v1, noisy)).toBeGreaterThan(difference(base, noisy));
    expect(difference(v1, base)).toBeGreaterThan(1);
  });

  it('brings a soft picture closer to its original, v1 with more contrast', async () => {
    const original = crop(await portrait(), { x: 60, y: 40, width: 180, height: 180 });
    const soft = await degrade(original, { blur: 1.5, jpeg: 92 });
    const base = await enhanced(soft);
    const v1 = await enhanced(soft, { model: 'v1' });
    const before = similarity(soft, original);
    expect(similarity(base, original)).toBeGreaterThan(before);
    expect(similarity(v1, original)).toBeGreaterThan(before);
    expect(await fineContrast(v1)).toBeGreaterThan(await fineContrast(base));
  });

  it('restores texture with v1: finer contrast than base, without inventing another picture', async () => {
    const original = await cat();
    const { width, height } = original;
    const soft = await degrade(original, { blur: 1.2, reduction: 2.5, noise: 3, jpeg: 80 });
    const [base, v1] = [await enhanced(soft), await enhanced(soft, { model: 'v1' })];
    expect(await fineContrast(v1)).toBeGreaterThan(1.2 * (await fineContrast(base)));
    expect(similarity(v1, original)).toBeGreaterThan(similarity(soft, original) - 0.02);
    // Seen at the size at which the input was sharp, it is the input.
    const seen = (raster: Raster) => resize(raster, Math.round(width / 5), Math.round(height / 5), 'cubic');
    expect(similarity(await seen(v1), await seen(original))).toBeGreaterThan(0.93);
  });

  it('changes no pixel at strength 0', async () => {
    const soft = await degrade(await cat(), { blur: 2 });
    for (const model of ['base', 'v1'] as const) {
      expect(Buffer.compare((await enhanced(soft, { model, strength: 0 })).data, soft.data)).toBe(0);
    }
  });

  it('keeps a gradient smooth, also across tiles', async () => {
    // Two tiles wide at the finest reduction.
    const gradient = paint(1400, 80, (x, y) => 40 + x / 9 + y / 4);
    const result = await enhanced(gradient);
    const worst = result.data.reduce((most, value, at) => {
      return Math.max(most, Math.abs(value - (gradient.data[at] ?? 0)));
    }, 0);
    expect(worst).toBeLessThanOrEqual(2);
  });

  it.each([
    ['pickets', (x: number) => (x % 6 < 3 ? 180 : 70)],
    ['crossed wires', (x: number, y: number) => ((x + y) % 7 < 2 || (x - y + 300) % 7 < 2 ? 60 : 170)],
  ])('does not exaggerate a fence of %s', async (_name, level) => {
    const fence = await degrade(paint(150, 110, level), { blur: 0.9, jpeg: 85 });
    const result = await enhanced(fence);
    expect(await fineContrast(result)).toBeLessThan(1.4 * (await fineContrast(fence)));
    expect(similarity(result, fence)).toBeGreaterThan(0.85);
  });

  it('neither exaggerates nor denoises sharp fur', async () => {
    const fur = crop(await cat(), { x: 130, y: 60, width: 200, height: 150 });
    const result = await enhanced(fur);
    expect(await fineContrast(result)).toBeLessThan(1.2 * (await fineContrast(fur)));
    expect(similarity(result, fur)).toBeGreaterThan(0.99);
  });

  it('changes no letter of a page', async () => {
    const original = page();
    expect(difference(await enhanced(original), original)).toBe(0);
    const compressed = await degrade(original, { jpeg: 92 });
    expect(similarity(await enhanced(compressed), compressed)).toBeGreaterThan(0.99);
  });

  it('keeps a background out of focus', async () => {
    const sharp = await portrait();
    const { data } = await blur(sharp, 6);
    const half = { ...sharp, data: data.map((value, at) => (at % 900 < 450 ? value : (sharp.data[at] ?? 0))) };
    const blurred = { x: 0, y: 0, width: 140, height: 300 };
    const result = await enhanced(half);
    expect(measureSoftness(result, blurred)).toBeGreaterThan(0.6 * measureSoftness(half, blurred));
    expect(await fineContrast(crop(result, blurred))).toBeLessThan(1);
    expect(similarity(crop(result, { ...blurred, x: 160 }), crop(sharp, { ...blurred, x: 160 }))).toBeGreaterThan(0.98);
  });

  it('keeps mean brightness and color', async () => {
    const original = crop(await portrait(), { x: 60, y: 40, width: 160, height: 160 });
    const worn = await degrade(original, { blur: 2.5, reduction: 4, noise: 8, jpeg: 65 });
    const result = await enhanced(worn);
    for (let channel = 0; channel < 3; channel++) {
      const mean = (raster: Raster) =>
        raster.data.reduce((sum, v, at) => sum + (at % 3 === channel ? v : 0), 0) / 25_600;
      expect(Math.abs(mean(result) - mean(worn))).toBeLessThan(0.7);
    }
    const brightest = (raster: Raster) => luma(raster).reduce((most, value) => Math.max(most, value), 0);
    expect(brightest(result)).toBeGreaterThan(brightest(worn) - 12);
  });
});
