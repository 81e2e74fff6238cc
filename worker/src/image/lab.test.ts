import { describe, expect, it } from 'vitest';
import { encodeSrgb, labToSrgb } from './lab.js';

describe('L*a*b*', () => {
  it('converts grays to grays', () => {
    const samples = Uint8Array.from({ length: 256 * 3 }, (_, index) => (index % 3 === 0 ? index / 3 : 128));
    labToSrgb(samples, 3);
    for (let at = 0; at < samples.length; at += 3) {
      expect(Math.max(...samples.subarray(at, at + 3)) - Math.min(...samples.subarray(at, at + 3))).toBeLessThan(2);
    }
    expect([samples[0], samples[765]]).toEqual([0, 255]);
  });

  it('clamps lightness out of range', () => {
    expect([-1, Number.NaN, 0, 1, 7].map((light) => Math.round(encodeSrgb(light) * 255))).toEqual([0, 0, 0, 255, 255]);
  });
});
