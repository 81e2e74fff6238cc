import { describe, expect, it } from 'vitest';
import { createRaster, crop, type Raster } from '../../rasters/raster.js';
import { degrade, portrait, similarity } from '../../test/quality.js';
import { enhanced, expectNearer, type QualityCase } from '../../test/quality-cases.js';

// More cases are in quality.long.test.ts.
const CASES: QualityCase[] = [
  ['mild', { blur: 1, reduction: 2, noise: 3, jpeg: 85 }, 0.003],
  ['medium', { blur: 2.5, reduction: 4, noise: 8, jpeg: 65 }, 0.01],
  ['heavy', { blur: 5, reduction: 8, noise: 15, jpeg: 40 }, 0.005],
  ['sharp and noisy', { noise: 12, jpeg: 92 }, 0.05],
  ['blocky', { jpeg: 22 }, 0.004],
];

describe('face and background together', () => {
  it.each(CASES)('bring a %s picture closer to its original', expectNearer);

  it('keep a sharp, clean picture unchanged', async () => {
    const original = await portrait();
    expect(Buffer.compare((await enhanced(original)).data, original.data)).toBe(0);
  });

  it('keep fine stripes and a checkerboard unchanged', async () => {
    const pattern = createRaster(160, 160);
    for (let at = 0; at < 160 * 160; at++) {
      const [x, y] = [at % 160, Math.floor(at / 160)];
      pattern.data.fill((y < 80 ? x & 2 : (x ^ y) & 4) ? 190 : 60, at * 3, at * 3 + 3);
    }
    expect(similarity(await enhanced(pattern), pattern)).toBeGreaterThan(0.98);
  });

  it('keep a sharp face in front of a blurred background unchanged', async () => {
    const sharp = await portrait();
    const { data } = await degrade(sharp, { blur: 5 });
    const face = (at: number) => Math.hypot((at % 300) - 150, Math.floor(at / 300) - 130) < 90;
    const mixed = {
      ...sharp,
      data: data.map((value, at) => (face(Math.floor(at / 3)) ? (sharp.data[at] ?? 0) : value)),
    };
    const inside = { x: 110, y: 80, width: 80, height: 100 };
    const result = await enhanced(mixed);
    expect(similarity(crop(result, inside), crop(sharp, inside))).toBeGreaterThan(0.97);
  });

  it('shift no edge of a soft picture', async () => {
    const edge = createRaster(200, 120);
    for (let at = 0; at < 200 * 120; at++) {
      const level = 40 + 170 / (1 + Math.exp((100 - (at % 200)) / 6));
      edge.data.fill(level, at * 3, at * 3 + 3);
    }
    const result = await enhanced(edge);
    const crossing = (raster: Raster) => raster.data.subarray(60 * 600, 61 * 600).findIndex((value) => value > 125) / 3;
    expect(Math.abs(crossing(result) - crossing(edge))).toBeLessThanOrEqual(1);
  });
});
