import { describe, expect, it } from 'vitest';
import { TIME_LIMIT_MARGIN_MS, TIME_LIMITS } from './time-limits.js';

describe('time limits', () => {
  it.each(Object.entries(TIME_LIMITS))('of %s leave the inner one time to answer', (_name, limits) => {
    const ordered = Object.values<number>(limits);
    for (const [index, outer] of ordered.slice(1).entries()) {
      expect(outer - (ordered[index] ?? 0)).toBeGreaterThanOrEqual(TIME_LIMIT_MARGIN_MS);
    }
  });
});
