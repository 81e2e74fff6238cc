import { describe, expect, it } from 'vitest';
import { createRaster, type Raster } from '../../rasters/raster.js';
import { isVisible, isVisibleIn, MAP_SIDE, mapChanges } from './compose.js';

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

const SIZE = { width: 200, height: 100 };

/** Gray, with a box of another level. */
function picture(level: number, box = { x: 0, y: 0, width: 0, height: 0 }): Raster {
  const raster = createRaster(SIZE.width, SIZE.height);
  raster.data.fill(128);
  for (let y = box.y; y < box.y + box.height; y++) {
    const start = 3 * (y * SIZE.width + box.x);
    raster.data.fill(128 + level, start, start + 3 * box.width);
  }
  return raster;
}

describe('a change is visible', () => {
  it('when some block of 64 pixels differs by more than 2 levels in the mean', () => {
    const block = { x: 64, y: 0, width: 64, height: 64 };
    expect(isVisible(picture(0), picture(2, block))).toBe(false);
    expect(isVisible(picture(0), picture(3, block))).toBe(true);
    expect(isVisible(picture(0), picture(-3, block))).toBe(true);
  });

  it('also in the smaller blocks at the right and lower edge', () => {
    expect(isVisible(picture(0), picture(3, { x: 192, y: 64, width: 8, height: 36 }))).toBe(true);
  });

  it('in a box of its own, though the blocks around it hide it', () => {
    const face = { x: 56, y: 56, width: 16, height: 16 };
    const [before, after] = [picture(0), picture(9, face)];
    expect(isVisible(before, after)).toBe(false);
    expect(isVisibleIn(face, before, after)).toBe(true);
    expect(isVisibleIn({ x: -20.4, y: 0, width: 40, height: 40 }, before, after)).toBe(false);
  });
});
