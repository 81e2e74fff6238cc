import { expect, it } from 'vitest';
import { measureMotion, moveAlong, pyramidOf } from './motion.js';

const [WIDTH, HEIGHT] = [100, 76];

/** Waves of several lengths and directions, seen from a place. */
function texture(left: number, top: number): Uint8Array {
  const luma = new Uint8Array(WIDTH * HEIGHT);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const [u, v] = [x + left, y + top];
      const waves = Math.sin(u / 5 + Math.sin(v / 9)) + Math.sin(v / 4 - u / 13) + Math.sin((u + v) / 3);
      luma[y * WIDTH + x] = 128 + 30 * waves;
    }
  }
  return luma;
}

function differenceInside(a: ArrayLike<number>, b: ArrayLike<number>, margin: number): number {
  let [sum, count] = [0, 0];
  for (let y = margin; y < HEIGHT - margin; y++) {
    for (let x = margin; x < WIDTH - margin; x++, count++) {
      sum += Math.abs((a[y * WIDTH + x] ?? 0) - (b[y * WIDTH + x] ?? 0));
    }
  }
  return sum / count;
}

it.each([
  [0, 0],
  [3, -2],
  [-17, 9],
  [0.5, 0.25],
  [-4.75, 2.5],
])('a frame moved by %d, %d is found in the one before', (dx, dy) => {
  const [before, now] = [texture(0, 0), texture(dx, dy)];
  const vectors = measureMotion(pyramidOf(now, WIDTH, HEIGHT), pyramidOf(before, WIDTH, HEIGHT));
  const moved = moveAlong(Float32Array.from(before), WIDTH, HEIGHT, vectors);
  const margin = 24;
  expect(differenceInside(moved, now, margin)).toBeLessThan(2);
});

it('stays where nothing can be told', () => {
  const flat = pyramidOf(new Uint8Array(WIDTH * HEIGHT).fill(90), WIDTH, HEIGHT);
  expect(new Set(measureMotion(flat, flat))).toEqual(new Set([0]));
});

it.each([
  [2, 2],
  [6, 18],
  [50, 4],
])('a frame of %d x %d pixels has vectors', (width, height) => {
  const luma = new Uint8Array(width * height).map((_, at) => (at * 37) % 255);
  const pyramid = pyramidOf(luma, width, height);
  const vectors = measureMotion(pyramid, pyramid);
  expect(vectors).toHaveLength(2 * Math.ceil(width / 8) * Math.ceil(height / 8));
  expect(moveAlong(Float32Array.from(luma), width, height, new Int16Array(vectors.length))).toEqual(
    Float32Array.from(luma),
  );
});
