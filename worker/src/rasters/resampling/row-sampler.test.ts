import { describe, expect, it } from 'vitest';
import { resizePlane } from '../guided-filter.js';
import { RowSampler, runsBetween } from './row-sampler.js';

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

  it('fills only the requested columns', () => {
    const slope = slopeOf(8, 1);
    const row = new Float32Array(16);
    new RowSampler(slope, 16, 1, 5).fill(slope.data, 0, row);
    for (let x = 1; x < 5; x++) expect(row[x]).toBeCloseTo((x + 0.5) / 2, 4);
    expect([...row.subarray(5)]).toEqual(new Array(11).fill(0));
    const part = new Float32Array(16);
    new RowSampler(slope, 16, 1).fill(slope.data, 0, part, { first: 6, end: 9 });
    expect([...part].map(Math.sign)).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]);
    for (let x = 6; x < 9; x++) expect(part[x]).toBeCloseTo((x + 0.5) / 2, 4);
  });
});

it('finds the runs of values between two bounds', () => {
  const values = Float32Array.of(1, 0, 0.5, 0.2, 1, 0.5);
  expect(runsBetween(values, 0, 1)).toEqual([
    { first: 2, end: 4 },
    { first: 5, end: 6 },
  ]);
  expect(runsBetween(values, 1, 2)).toEqual([]);
});
