import { describe, expect, it } from 'vitest';
import { boxMean } from './filters.js';

describe('boxMean', () => {
  it.each([
    [7, 5, 1],
    [16, 9, 3],
    [4, 4, 10],
    [1, 6, 2],
  ])('is the mean over the window’s inner part (%i x %i, radius %i)', (width, height, radius) => {
    const source = Float32Array.from({ length: width * height }, (_, index) => (index * 37) % 101);
    const result = boxMean(source, width, height, radius);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        let sum = 0;
        let count = 0;
        for (let v = Math.max(0, y - radius); v <= Math.min(height - 1, y + radius); v++) {
          for (let u = Math.max(0, x - radius); u <= Math.min(width - 1, x + radius); u++) {
            sum += source[v * width + u] ?? 0;
            count++;
          }
        }
        expect(result[y * width + x]).toBeCloseTo(sum / count, 3);
      }
    }
  });
});
