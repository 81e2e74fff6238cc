import { describe, expect, it } from 'vitest';
import { floatsAt, kernels, reserve, withKernels } from './kernels.js';
import { RowSampler, resizePlane } from './row-sampler.js';

/** Columns `at + 0.5` for the column `at`. */
const slopeOf = (width: number, height: number) => ({
  width,
  height,
  data: Float32Array.from({ length: width * height }, (_, at) => (at % width) + 0.5),
});

describe('a row sampler', () => {
  it('keeps a gradient linear at any size, and values within the range of the plane', () => {
    const large = resizePlane(slopeOf(8, 6), 32, 18);
    for (let x = 2; x < 30; x++) expect(large.data[9 * 32 + x]).toBeCloseTo((x + 0.5) / 4, 4);
    expect(Math.min(...large.data)).toBe(0.5);
    expect(Math.max(...large.data)).toBe(7.5);
  });

  it('keeps a gradient linear from row to row', () => {
    const slope = { width: 1, height: 8, data: slopeOf(8, 1).data };
    const large = resizePlane(slope, 3, 32);
    for (let y = 2; y < 30; y++) expect(large.data[3 * y + 1]).toBeCloseTo((y + 0.5) / 4, 4);
  });

  it('samples as many columns as requested', () =>
    withKernels(() => {
      const row = reserve(4 * 16);
      floatsAt(row, 16).fill(-1);
      const sampler = new RowSampler(slopeOf(8, 1), 1, 16, 1, 5);
      kernels.sampleGrays(sampler.line(0), sampler.columns, row, 5);
      for (let x = 1; x < 5; x++) expect(floatsAt(row, 16)[x]).toBeCloseTo((x + 0.5) / 2, 4);
      expect([...floatsAt(row, 16).subarray(5)]).toEqual(new Array(11).fill(-1));
    }));

  it('samples pixels of several floats, and repeats the last one', () =>
    withKernels(() => {
      const data = Float32Array.of(0, 10, 1, 11, 2, 12);
      const sampler = new RowSampler({ width: 3, height: 1, data }, 2, 6, 1);
      expect([...floatsAt(sampler.line(0), 8)]).toEqual([...data, 2, 12]);
    }));
});
