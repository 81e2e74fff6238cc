import { describe, expect, it } from 'vitest';
import type { Raster } from '../../rasters/raster.js';
import { limitGain } from '../../test/limit-gain.js';

const LIMIT = { maxGain: 1.25, allowance: 1, radius: 6 };

function stripes(amplitude: number, level = 128): Raster {
  const [width, height] = [60, 48];
  const data = Uint8Array.from({ length: width * height * 3 }, (_, index) => {
    return level + ((Math.floor(index / 3) % width) & 2 ? amplitude : -amplitude);
  });
  return { width, height, data };
}

function spread(raster: Raster): number {
  const inner = raster.data.subarray(raster.data.length / 4, raster.data.length / 2);
  return (Math.max(...inner) - Math.min(...inner)) / 2;
}

describe('limitGain', () => {
  it('limits contrast growth to a quarter', () => {
    const result = stripes(80);
    limitGain(result, stripes(20), LIMIT);
    expect(spread(result)).toBeGreaterThan(23);
    expect(spread(result)).toBeLessThan(29);
  });

  it('reduces no contrast', () => {
    const result = stripes(10);
    limitGain(result, stripes(20), LIMIT);
    expect(spread(result)).toBeCloseTo(10, 0);
  });

  it('restores the local mean', () => {
    const result = stripes(0, 90);
    limitGain(result, stripes(0, 140), LIMIT);
    expect([...new Set(result.data)]).toEqual([140]);
  });
});
