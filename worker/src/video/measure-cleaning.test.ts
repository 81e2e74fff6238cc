import { expect, it } from 'vitest';
import { measureRepeatedPixels } from './measure-cleaning.js';

const SIDE = 96;

/** Noise of squares of equal pixels, with steps of `levels` between them and up to `within` inside. */
function squares(side: number, levels = 60, within = 0): Uint8Array {
  let seed = 1;
  const random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  const values = Float64Array.from({ length: SIDE * SIDE }, () => 128 + levels * (random() - 0.5));
  return Uint8Array.from({ length: SIDE * SIDE }, (_, at) => {
    const [x, y] = [Math.floor((at % SIDE) / side), Math.floor(at / SIDE / side)];
    return (values[y * SIDE + x] ?? 0) + within * (random() - 0.5);
  });
}

it.each([1, 2, 3, 4])('finds pixels that are repeated %i times, also after compression', (side) => {
  expect(measureRepeatedPixels(squares(side), SIDE, SIDE)).toBe(side);
  expect(measureRepeatedPixels(squares(side, 60, 12), SIDE, SIDE)).toBe(side);
});

it('takes neither noise nor a flat frame for repeated pixels', () => {
  expect(measureRepeatedPixels(squares(2, 20, 60), SIDE, SIDE)).toBe(1);
  expect(measureRepeatedPixels(new Uint8Array(SIDE * SIDE), SIDE, SIDE)).toBeNull();
});

it('takes sparse lines on even columns for what they are', () => {
  const lines = Uint8Array.from({ length: SIDE * SIDE }, (_, at) => ((at % SIDE) % 10 < 4 ? 200 : 50));
  expect(measureRepeatedPixels(lines, SIDE, SIDE)).not.toBe(2);
});
