import { describe, expect, it } from 'vitest';
import { floatsAt, heap, reserve, withKernels } from '../../rasters/kernels.js';
import { discSum as discSumAt } from './lens.js';

const discSum = (source: Float32Array, width: number, height: number, radius: number): Float32Array =>
  withKernels(() => {
    const plane = reserve(source.byteLength);
    heap.floats.set(source, plane >> 2);
    discSumAt(plane, width, height, radius);
    return floatsAt(plane, source.length).slice();
  });
const noise = (size: number) => Float32Array.from({ length: size }, (_, index) => ((index * 7919) % 101) / 100);
const total = (plane: Float32Array) => plane.reduce((sum, value) => sum + value, 0);

function disc(radius: number): { plane: Float32Array; side: number } {
  const side = 2 * Math.ceil(radius) + 5;
  const point = new Float32Array(side * side);
  point[(side * side - 1) / 2] = 1;
  return { plane: discSum(point, side, side, radius), side };
}

describe('discSum', () => {
  it.each([0.5, 1, 2.5, 7, 9.3])('turns a point into an even, round disc (radius %d)', (radius) => {
    const { plane, side } = disc(radius);
    const middle = (side - 1) / 2;
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        const value = plane[y * side + x] ?? 0;
        const distance = Math.hypot(x - middle, y - middle);
        if (distance < radius - 1) expect(value).toBeCloseTo(1, 5);
        if (distance > radius + 1.5) expect(value).toBeCloseTo(0, 5);
        expect(value).toBeCloseTo(plane[y * side + (side - 1 - x)] ?? 0, 5);
        expect(value).toBeCloseTo(plane[(side - 1 - y) * side + x] ?? 0, 5);
      }
    }
    const area = Math.PI * radius ** 2;
    expect(total(plane) / area).toBeGreaterThan(0.9);
    expect(total(plane) / area).toBeLessThan(1.3);
  });

  it('sums up what every disc covers, with zero outside the picture', () => {
    const [width, height, radius] = [23, 17, 4];
    const source = noise(width * height);
    const { plane: kernel, side } = disc(radius);
    const half = (side - 1) / 2;
    const result = discSum(source, width, height, radius);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        let sum = 0;
        for (let v = Math.max(0, y - half); v <= Math.min(height - 1, y + half); v++) {
          for (let u = Math.max(0, x - half); u <= Math.min(width - 1, x + half); u++) {
            sum += (source[v * width + u] ?? 0) * (kernel[(v - y + half) * side + u - x + half] ?? 0);
          }
        }
        expect(result[y * width + x]).toBeCloseTo(sum, 3);
      }
    }
  });

  it('accepts pictures smaller than the disc', () => {
    expect(discSum(Float32Array.of(0.5), 1, 1, 6)[0]).toBeCloseTo(0.5);
    expect(total(discSum(noise(3), 3, 1, 10))).toBeCloseTo(3 * total(noise(3)), 4);
  });
});
