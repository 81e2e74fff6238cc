import { describe, expect, it } from 'vitest';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import { createRaster, crop, type Raster } from '../../rasters/raster.js';
import { degrade, portrait, similarity } from '../../test/quality.js';
import { guideBySmallFace } from './enhance-faces.js';
import { locateInRegion } from './face-geometry.js';

const sessions = new Sessions(await readManifest(modelsFolder()), 2);
const WHOLE = { x: 0, y: 0, width: 300, height: 300 };
const DETECTED = { box: { x: 90, y: 70, width: 105, height: 105 }, confidence: 0.8 };
const FACE = { x: 100, y: 80, width: 85, height: 95 };

async function locate(picture: Raster) {
  const geometry = await locateInRegion(sessions, picture, DETECTED, WHOLE, WHOLE);
  if (!geometry) throw new Error('no face');
  return geometry;
}

describe('guideBySmallFace', () => {
  it('brings a face of some 25 real pixels closer to its original, in its place', async () => {
    const truth = await portrait();
    const degraded = await degrade(truth, { blur: 2.5, reduction: 4, noise: 8, jpeg: 65 });
    const { points } = await locate(degraded);
    const guided = (restored: Raster) => guideBySmallFace(sessions, degraded, restored, points, 1);
    const before = similarity(crop(degraded, FACE), crop(truth, FACE));
    const [raster, overBlack] = [await guided(degraded), await guided(createRaster(300, 300))];
    expect(similarity(crop(raster, FACE), crop(truth, FACE))).toBeGreaterThan(before);
    const [inside, outside] = [3 * (130 * 300 + 142), 0];
    expect(overBlack.data.subarray(inside, inside + 3)).toEqual(raster.data.subarray(inside, inside + 3));
    expect(overBlack.data.subarray(outside, outside + 3)).toEqual(new Uint8Array(3));
  });
});

describe('locateInRegion', () => {
  it('marks eyes, brows and lips, and neither cheeks nor background', async () => {
    const { points, features } = await locate(await portrait());
    const at = (x: number, y: number) => features[Math.round(y) * 300 + Math.round(x)] ?? 0;
    const between = (first: number, second: number): [number, number] => [
      ((points[first * 2] ?? 0) + (points[second * 2] ?? 0)) / 2,
      ((points[first * 2 + 1] ?? 0) + (points[second * 2 + 1] ?? 0)) / 2,
    ];
    for (const [first, second] of [
      [33, 133],
      [362, 263],
      [61, 291],
    ] as const) {
      expect(at(...between(first, second))).toBeGreaterThan(0.7);
    }
    // Cheeks: between the nose tip and the sides of the face.
    for (const side of [234, 454]) expect(at(...between(1, side))).toBeLessThan(0.3);
    expect(at(5, 5)).toBe(0);
  });
});
