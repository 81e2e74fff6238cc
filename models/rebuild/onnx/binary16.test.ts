import { expect, it } from 'vitest';
import { fromBinary16 } from './binary16.ts';

it('gives weights of 16 bits in 32, also from the middle of a file', () => {
  const file = Uint16Array.of(0xffff, 0x3c00, 0xb800, 0x0001, 0x7bff);
  expect(fromBinary16(file.subarray(1))).toEqual(Float32Array.of(1, -0.5, 2 ** -24, 65504));
});

it.each([
  ['an infinity', 0x7c00],
  ['no number', 0x7e00],
])('refuses a weight that is %s', (_, bits) => {
  expect(() => fromBinary16(Uint16Array.of(0x3c00, bits))).toThrow('not finite');
});
