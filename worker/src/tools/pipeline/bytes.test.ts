import { describe, expect, it } from 'vitest';
import { addTo, differenceOf } from './kept-parts.js';

/** Every pair of bytes, and two more so that neither length nor start is a multiple of four. */
const LENGTH = 256 * 256 + 2;
const one = Uint8Array.from({ length: LENGTH + 1 }, (_, at) => at >> 8).subarray(1);
const other = Uint8Array.from({ length: LENGTH }, (_, at) => at);

function sumOf(first: Uint8Array, second: Uint8Array): Uint8Array {
  const sum = Uint8Array.from(first);
  addTo(sum, second);
  return sum;
}

describe('differenceOf and addTo', () => {
  it('subtract and add each byte modulo 256', () => {
    expect(
      Buffer.compare(
        differenceOf(one, other),
        one.map((value, at) => value - (other[at] ?? 0)),
      ),
    ).toBe(0);
    expect(
      Buffer.compare(
        sumOf(one, other),
        one.map((value, at) => value + (other[at] ?? 0)),
      ),
    ).toBe(0);
  });

  it('undo each other', () => {
    expect(Buffer.compare(sumOf(differenceOf(one, other), other), one)).toBe(0);
  });
});
