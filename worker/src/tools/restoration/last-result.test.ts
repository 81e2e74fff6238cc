import { afterEach, describe, expect, it, vi } from 'vitest';
import { createRaster, type Raster } from '../../rasters/raster.js';
import { LastResult } from './last-result.js';

const picture = (width: number, height: number, level = 0): Raster => {
  const raster = createRaster(width, height);
  raster.data.fill(level);
  return raster;
};

/** Counts how often it computes. */
function counter() {
  let count = 0;
  return { compute: async () => ++count, last: new LastResult<number>() };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('LastResult', () => {
  it('computes once for equal bytes and dependencies', async () => {
    const { compute, last } = counter();
    expect(await last.of(picture(8, 6, 1), ['a', null], compute)).toBe(1);
    expect(await last.of(picture(8, 6, 1), ['a', null], compute)).toBe(1);
  });

  it('computes again for other bytes, another shape or other dependencies, and forgets the earlier result', async () => {
    const { compute, last } = counter();
    const first = picture(8, 6, 1);
    await last.of(first, 'a', compute);
    const changed = picture(8, 6, 1);
    changed.data[143] = 2;
    expect(await last.of(changed, 'a', compute)).toBe(2);
    expect(await last.of(picture(6, 8, 1), 'a', compute)).toBe(3);
    expect(await last.of(first, 'b', compute)).toBe(4);
    expect(await last.of(first, 'a', compute)).toBe(5);
  });

  it('is released for a picture of another size only', async () => {
    const { compute, last } = counter();
    const small = picture(8, 6);
    await last.of(small, 'a', compute);
    last.releaseUnless(picture(8, 6, 9));
    expect(await last.of(small, 'a', compute)).toBe(1);
    last.releaseUnless(picture(8, 7));
    expect(await last.of(small, 'a', compute)).toBe(2);
  });

  it('is released five minutes after its last use', async () => {
    vi.useFakeTimers();
    const { compute, last } = counter();
    const small = picture(8, 6);
    await last.of(small, 'a', compute);
    vi.advanceTimersByTime(4 * 60_000);
    expect(await last.of(small, 'a', compute)).toBe(1);
    vi.advanceTimersByTime(4 * 60_000);
    expect(await last.of(small, 'a', compute)).toBe(1);
    vi.advanceTimersByTime(5 * 60_000);
    expect(await last.of(small, 'a', compute)).toBe(2);
  });

  it('keeps nothing of a large picture, nor of a failed computation', async () => {
    const { compute, last } = counter();
    const large = picture(4200, 1001);
    await last.of(large, 'a', compute);
    expect(await last.of(large, 'a', compute)).toBe(2);
    const small = picture(8, 6);
    await expect(last.of(small, 'a', () => Promise.reject(new Error('cancelled')))).rejects.toThrow('cancelled');
    expect(await last.of(small, 'a', compute)).toBe(3);
  });
});
