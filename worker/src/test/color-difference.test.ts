import { describe, expect, it } from 'vitest';
import { type CieLab, cieLab, deltaE00 } from './color-difference.js';

describe('deltaE00', () => {
  // Pairs of Sharma, Wu and Dalal, The CIEDE2000 Color-Difference Formula, 2005, table 1.
  const PAIRS: [CieLab, CieLab, number][] = [
    [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
    [[50, 2.5, 0], [50, 0, -2.5], 4.3065],
    [[50, 2.5, 0], [73, 25, -18], 27.1492],
    [[50, 2.5, 0], [50, 3.1736, 0.5854], 1],
  ];
  it.each(PAIRS)('of %j and %j is %d', (one, other, expected) => {
    expect(deltaE00(one, other)).toBeCloseTo(expected, 3);
    expect(deltaE00(other, one)).toBeCloseTo(expected, 3);
  });

  it('converts white to white and gray to gray', () => {
    const [l, a, b] = cieLab(255, 255, 255);
    expect(l).toBeCloseTo(100, 3);
    expect(Math.hypot(a, b)).toBeLessThan(0.02);
    expect(cieLab(119, 119, 119)[0]).toBeCloseTo(50, 0);
  });
});
