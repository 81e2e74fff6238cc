import { describe, expect, it } from 'vitest';
import { createRaster, crop } from '../raster.js';
import { sampleWindow } from './window.js';

const slope = createRaster(40, 30);
for (let y = 0, at = 0; y < 30; y++)
  for (let x = 0; x < 40; x++, at += 3) slope.data.set([5 * x + 10, 6 * y + 10, 90], at);

describe('sampleWindow', () => {
  it('is a crop at whole pixels of the same size', () => {
    const window = sampleWindow(slope, { x: 7, y: 5, size: 1 }, 20, 10);
    expect(window).toEqual(crop(slope, { x: 7, y: 5, width: 20, height: 10 }));
  });

  it('places the centers of larger and smaller pixels where they lie', () => {
    for (const size of [0.5, 0.8, 1.25]) {
      const { data } = sampleWindow(slope, { x: 10, y: 8, size }, 12, 9);
      const [column, row] = [7, 4];
      const at = 3 * (row * 12 + column);
      const [x, y] = [10 + (column + 0.5) * size - 0.5, 8 + (row + 0.5) * size - 0.5];
      expect(Math.abs((data[at] ?? 0) - (5 * x + 10))).toBeLessThanOrEqual(0.51);
      expect(Math.abs((data[at + 1] ?? 0) - (6 * y + 10))).toBeLessThanOrEqual(0.51);
      expect(data[at + 2]).toBe(90);
    }
  });

  it('repeats the edge outside the picture', () => {
    const { data } = sampleWindow(slope, { x: -10, y: -10, size: 1 }, 5, 5);
    expect([...data.subarray(0, 3)]).toEqual([10, 10, 90]);
  });
});
