import { describe, expect, it } from 'vitest';
import { createRaster } from '../../rasters/raster.js';
import { MAP_SIDE, mapChanges } from './compose.js';

describe('mapChanges', () => {
  it.each([1, 2, 3.5])('shows where a picture of %d times the size of the map changed', async (factor) => {
    const before = createRaster(MAP_SIDE * factor, 100 * factor);
    const after = { ...before, data: Uint8Array.from(before.data) };
    const row = before.width * 3;
    for (let y = 0; y < before.height; y++) after.data.fill(32, y * row, y * row + row / 2);
    const { width, height, opacity } = await mapChanges(before, after);
    expect([width, height]).toEqual([MAP_SIDE, 100]);
    for (let y = 0; y < height; y++) {
      const line = opacity.subarray(y * width, (y + 1) * width);
      expect(new Set(line.subarray(0, width / 2 - 2))).toEqual(new Set([255]));
      expect(new Set(line.subarray(width / 2 + 2))).toEqual(new Set([0]));
    }
  });
});
