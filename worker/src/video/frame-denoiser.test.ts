import { expect, it } from 'vitest';
import { type Frame, frameBytes, lumaOf } from './frame.js';
import { FrameDenoiser } from './frame-denoiser.js';

const [WIDTH, HEIGHT] = [160, 96];
const NOISE = 8;
const FRAMES = 10;

let seed = 1;
function random(): number {
  seed = (seed * 16807) % 2147483647;
  return seed / 2147483647;
}

/** Nearly Gaussian, of standard deviation 1. */
const gaussian = (): number => 2 * (random() + random() + random() - 1.5);

type Scene = (x: number, y: number, number: number) => number;

const wall: Scene = (x, y) => 120 + 30 * Math.sin(x / 5 + Math.sin(y / 9)) + 25 * Math.sin(y / 4 - x / 13);
/** A camera that moves by fractions of a pixel. */
const panned: Scene = (x, y, number) => wall(x + 2.5 * number, y - 1.25 * number, 0);
/** A bright square that crosses it the other way. */
const crossed: Scene = (x, y, number) =>
  Math.abs(x - 40 - 7 * number) < 14 && Math.abs(y - 48) < 14
    ? 225 + 8 * Math.sin(x - 7 * number)
    : panned(x, y, number);

function draw(scene: Scene, number: number, noise: number): Frame {
  const data = new Uint8Array(frameBytes(WIDTH, HEIGHT)).fill(128);
  for (let at = 0; at < WIDTH * HEIGHT; at++) {
    data[at] = Math.round(scene(at % WIDTH, Math.floor(at / WIDTH), number) + noise * gaussian());
  }
  return { width: WIDTH, height: HEIGHT, data, time: number / 25 };
}

/** Root of the mean square of what differs from the scene without noise. */
function errorOf(frame: Frame, scene: Scene, number: number): number {
  const truth = lumaOf(draw(scene, number, 0));
  const squares = lumaOf(frame).reduce((sum, value, at) => sum + (value - (truth[at] ?? 0)) ** 2, 0);
  return Math.sqrt(squares / truth.length);
}

function play(denoiser: FrameDenoiser, scene: Scene, noise: number): Frame {
  let last = draw(scene, 0, noise);
  for (let number = 0; number < FRAMES; number++) last = denoiser.clean(draw(scene, number, noise));
  return last;
}

it.each([
  ['stays', wall, 0.4],
  ['pans', panned, 0.55],
] as const)('averages the noise of a scene that %s', (_, scene, share) => {
  const last = play(new FrameDenoiser(NOISE), scene, NOISE);
  expect(errorOf(last, scene, FRAMES - 1)).toBeLessThan(share * NOISE);
});

it('leaves no ghost of what crosses the scene', () => {
  const last = play(new FrameDenoiser(NOISE), crossed, NOISE);
  expect(errorOf(last, crossed, FRAMES - 1)).toBeLessThan(0.75 * NOISE);
  // Where the square was in the frames before.
  const trace = lumaOf(last);
  const truth = lumaOf(draw(crossed, FRAMES - 1, 0));
  for (let number = 0; number < FRAMES - 4; number++) {
    const at = 48 * WIDTH + 40 + 7 * number;
    const around = [-2, -1, 0, 1, 2].map((step) => (trace[at + step] ?? 0) - (truth[at + step] ?? 0));
    expect(Math.abs(around.reduce((sum, value) => sum + value, 0) / around.length)).toBeLessThan(NOISE);
  }
});

it('begins anew with a scene, and keeps colors and times', () => {
  const denoiser = new FrameDenoiser(NOISE);
  play(denoiser, wall, NOISE);
  const cut = draw((x, y) => 255 - wall(x, y, 0) / 3, 3, NOISE);
  cut.data.fill(70, WIDTH * HEIGHT);
  const result = denoiser.clean(cut);
  expect(result).toEqual(cut);
  expect(denoiser.clean({ ...cut, time: 9 }).data.subarray(WIDTH * HEIGHT)).toEqual(cut.data.subarray(WIDTH * HEIGHT));
});

it('follows light that changes slowly', () => {
  const denoiser = new FrameDenoiser(NOISE);
  const scene: Scene = (x, y, number) => wall(x, y, 0) + number / 4;
  let last = draw(scene, 0, 0);
  for (let number = 0; number < 60; number++) last = denoiser.clean(draw(scene, number, 0));
  expect(errorOf(last, scene, 59)).toBeLessThan(3);
});
