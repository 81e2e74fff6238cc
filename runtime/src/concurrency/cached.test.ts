import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Cached } from './index.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const counted = (lifetimeMs: number | ((loadMs: number) => number), loadMs = 0) => {
  let loads = 0;
  return new Cached(lifetimeMs, async () => {
    vi.advanceTimersByTime(loadMs);
    loads += 1;
    return loads;
  });
};

describe('a cached value', () => {
  it('is loaded again when its lifetime is over', async () => {
    const cached = counted(100);
    expect(await cached.get()).toBe(1);
    vi.advanceTimersByTime(99);
    expect(await cached.get()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await cached.get()).toBe(2);
  });

  it('is loaded once for concurrent callers', async () => {
    const cached = counted(100);
    expect(await Promise.all([cached.get(), cached.get(), cached.get()])).toEqual([1, 1, 1]);
  });

  it('may live as long as its load took', async () => {
    const cached = counted((loadMs) => 20 * loadMs, 5);
    expect(await cached.get()).toBe(1);
    vi.advanceTimersByTime(99);
    expect(await cached.get()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await cached.get()).toBe(2);
  });

  it('is not kept when its load fails', async () => {
    const answers = [Promise.reject(new Error('away')), Promise.resolve('back')];
    const cached = new Cached(100, () => answers.shift() ?? Promise.resolve('once more'));
    await expect(cached.get()).rejects.toThrow('away');
    expect(await cached.get()).toBe('back');
    expect(await cached.get()).toBe('back');
  });

  it('is loaded again after an invalidation, also during a load', async () => {
    const cached = counted(100);
    const first = cached.get();
    cached.invalidate();
    expect(await Promise.all([first, cached.get()])).toEqual([1, 2]);
    expect(await cached.get()).toBe(2);
  });
});
