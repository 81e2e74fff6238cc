import { describe, expect, it } from 'vitest';
import { createRaster } from '../../rasters/raster.js';
import type { Assessment } from './denoise.js';
import { workingCopy } from './working-size.js';

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
