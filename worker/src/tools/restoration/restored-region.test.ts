import { describe, expect, it, vi } from 'vitest';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import { createRaster, luma, type Raster } from '../../rasters/raster.js';
import { degrade, portrait, similarity } from '../../test/quality.js';
import { measurePicture } from './context.js';
import { type Assessment, assess } from './denoise.js';
import { restoreRegion, workingCopy } from './restored-region.js';

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

function assessed(softness: number): Assessment {
  const empty = new Float32Array(0);
  const planes = { width: 0, height: 0, luma: empty, blueDifference: empty, redDifference: empty };
  return { planes, defects: { softness, noise: 3, blockiness: 0 } };
}

describe('workingCopy', () => {
  it('reduces a large soft region to what the networks can show, and its softness with it', async () => {
    const copy = await workingCopy(createRaster(3000, 1500), assessed(6));
    expect([copy.region.width, copy.region.height]).toEqual([2000, 1000]);
    expect(copy.reduction).toBeCloseTo(1.5, 5);
    expect(copy.assessed.defects).toEqual({ softness: 6 / copy.reduction, noise: 3, blockiness: 0 });
  });

  it('keeps 1024 pixels of the longest side', async () => {
    const { region } = await workingCopy(createRaster(1536, 1200), assessed(10));
    expect([region.width, region.height]).toEqual([1024, 800]);
  });

  it.each([
    ['small', 1024, 10],
    ['no softer than that', 3000, 4.2],
  ])('leaves a region that is %s as it is', async (_case, side, softness) => {
    const region = createRaster(side, 60);
    const own = assessed(softness);
    expect(await workingCopy(region, own)).toEqual({ region, assessed: own, reduction: 1 });
  });
});
