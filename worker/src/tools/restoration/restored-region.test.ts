import { expect, it, vi } from 'vitest';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import { createRaster, luma, type Raster } from '../../rasters/raster.js';
import { degrade, portrait, similarity } from '../../test/quality.js';
import { measurePicture } from './context.js';
import { assess } from './denoise.js';
import { restoreRegion } from './restored-region.js';

const sessions = new Sessions(await readManifest(modelsFolder()), 2);
const context = { sessions, signal: new AbortController().signal };

/** Standard deviation of the differences between neighbors in a row. */
function contrast(raster: Raster): number {
  const plane = luma(raster);
  const steps = plane.slice(1).map((value, at) => value - (plane[at] ?? 0));
  return Math.sqrt(steps.reduce((sum, step) => sum + step * step, 0) / steps.length);
}

it.each([
  ['blur and noise', { blur: 2.5, reduction: 4, noise: 5, jpeg: 70 }],
  ['noise as fine as the pixels', { noise: 12 }],
])('a portrait with %s comes closer to its original, at its size', async (_, defects) => {
  const original = await portrait();
  const degraded = await degrade(original, defects);
  const { assessed } = await measurePicture(degraded);
  if (!assessed) throw new Error('not measured');
  const restored = await restoreRegion(context, degraded, assessed);
  expect([restored.width, restored.height]).toEqual([original.width, original.height]);
  expect(similarity(restored, original)).toBeGreaterThan(similarity(degraded, original) + 0.05);
});

it('a region that is reduced for the network keeps detail that only its own pixels show', async () => {
  const stripes = createRaster(2400, 1500);
  stripes.data.forEach((_value, at) => {
    stripes.data[at] = Math.floor(at / 3) % 2 === 0 ? 110 : 140;
  });
  const session = await sessions.get('restore-face');
  // The network returns its input: what it makes of stripes doesn't matter.
  vi.spyOn(session, 'run').mockImplementation(async (input) => [input]);
  const restored = await restoreRegion(context, stripes, await assess(stripes, 1.5));
  vi.restoreAllMocks();
  expect(contrast(restored)).toBeGreaterThan(0.9 * contrast(stripes));
});
