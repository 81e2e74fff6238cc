import { describe, expect, it } from 'vitest';
import { boxMean, soften } from './filters.js';

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

it('repeats a box mean on request', () => {
  const [width, height, radius] = [31, 22, 3];
  const source = Float32Array.from({ length: width * height }, (_, index) => (index * 37) % 101);
  const twice = boxMean(boxMean(source, width, height, radius), width, height, radius);
  expect([...boxMean(source, width, height, radius, 2)]).toEqual([...twice]);
});

describe('soften', () => {
  it.each([0.66, 1.15, 1.9, 5.7])('spreads a point with a standard deviation of %f', (sigma) => {
    const side = 61;
    const middle = (side - 1) / 2;
    const point = new Float32Array(side * side);
    point[middle * side + middle] = 1;
    const result = soften(point, side, side, sigma);
    let [sum, variance] = [0, 0];
    for (const [at, value] of result.entries()) {
      sum += value;
      variance += value * ((at % side) - middle) ** 2;
    }
    expect(sum).toBeCloseTo(1, 4);
    expect(Math.abs(Math.sqrt(variance) / sigma - 1)).toBeLessThan(0.1);
  });

  it('removes the finest stripes and checks', () => {
    const side = 40;
    for (const isLight of [(x: number) => x % 2, (x: number, y: number) => (x + y) % 2]) {
      const pattern = Float32Array.from({ length: side * side }, (_, at) => isLight(at % side, Math.floor(at / side)));
      const middle = soften(pattern, side, side, 0.66)[(side / 2) * side + side / 2] ?? 0;
      expect(Math.abs(middle - 0.5)).toBeLessThan(0.15);
    }
  });
});
