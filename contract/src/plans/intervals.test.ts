import { describe, expect, it } from 'vitest';
import { PERIODS } from './catalogue.js';
import { INTERVAL_NAMES, intervalNameOf, intervalOf } from './intervals.js';

describe('interval names', () => {
  it.each([
    ['day', 1, 'daily'],
    ['day', 2, 'biDaily'],
    ['day', 3, 'triDaily'],
    ['day', 7, 'weekly'],
    ['week', 1, 'weekly'],
    ['week', 2, 'biWeekly'],
    ['week', 3, 'triWeekly'],
    ['week', 4, 'lunar'],
    ['week', 52, 'yearly'],
    ['month', 1, 'monthly'],
    ['month', 2, 'biMonthly'],
    ['month', 3, 'quarterly'],
    ['month', 6, 'semesterly'],
    ['month', 12, 'yearly'],
    ['year', 1, 'yearly'],
    ['year', 2, 'biYearly'],
    ['year', 3, 'triYearly'],
  ] as const)('names every %s × %d %s', (interval, count, name) => {
    expect(intervalNameOf({ interval, count })).toBe(name);
    expect(INTERVAL_NAMES).toContain(name);
  });

  it('has no name for other intervals', () => {
    expect(intervalNameOf({ interval: 'week', count: 5 })).toBeNull();
    expect(intervalNameOf({ interval: 'month', count: 13 })).toBeNull();
  });

  it('names the interval of each plan period', () => {
    expect(PERIODS.map((period) => intervalNameOf(intervalOf(period)))).toEqual(['weekly', 'lunar', 'yearly']);
  });
});
