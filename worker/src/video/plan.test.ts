import type { VideoPipeline } from '@clearframe/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { planVideo, WorkerSpeed } from './plan.js';
import type { MeasuredSpeed } from './speed.js';

const base = { model: 'base' } as const;
const tools = { faceEnhance: base, backgroundEnhance: base };
/** Seconds measured on two cores. */
const speed = { perMegapixel: 0.04, perFace: 0.05, perDenoisedMegapixel: 0.15 };
const hd = { width: 1280, height: 720, isBrowserPlayable: true };
const short = { ...hd, frameCount: 250 };
const longest = { ...hd, frameCount: 25 * 20 };
const long = { ...hd, frameCount: 25 * 60 };

it('restores faces and frames where that ends in time, faces first', () => {
  const recipeOf = (video: typeof short, pipeline: VideoPipeline = tools, measured = speed) => {
    const { recipe, estimatedSeconds } = planVideo(video, pipeline, measured, 1920);
    if (recipe !== 'signal') expect(estimatedSeconds).toBeLessThanOrEqual(120);
    return recipe;
  };
  expect(recipeOf(short)).toBe('faces_and_frames');
  expect(recipeOf(longest)).toBe('faces');
  expect(recipeOf(longest, { backgroundEnhance: base })).toBe('frames');
  expect(recipeOf({ ...long, width: 640, height: 360 })).toBe('frames');
  expect(recipeOf(long)).toBe('signal');
  expect(recipeOf(short, { faceEnhance: base })).toBe('faces');
  expect(recipeOf(short, { backgroundEnhance: { ...base, strength: 0 } })).toBe('signal');
  expect(recipeOf(short, tools, { perMegapixel: 0.4, perFace: 0.5, perDenoisedMegapixel: 1.5 })).toBe('signal');
});

it('keeps the recipe of a short video while other work slows the machine down', () => {
  const idle = planVideo(short, tools, speed, 1920);
  const loaded = planVideo(short, tools, speed, 1920, 4);
  expect(loaded.recipe).toBe('faces_and_frames');
  expect(loaded.estimatedSeconds).toBeGreaterThan(3 * idle.estimatedSeconds);
});

it("includes the encoding of an original that browsers can't play", () => {
  const estimate = (isBrowserPlayable: boolean) =>
    planVideo({ ...long, isBrowserPlayable }, {}, speed, 1920).estimatedSeconds;
  expect(estimate(false)).toBeGreaterThan(estimate(true));
});

const MEASURED: MeasuredSpeed = { perMegapixel: 1, perFace: 2, perDenoisedMegapixel: 1 };
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('is measured once', async () => {
  const measure = vi.fn(async () => MEASURED);
  const speed = new WorkerSpeed(measure);
  speed.start();
  expect(await speed.known()).toBe(MEASURED);
  expect(await speed.known()).toBe(MEASURED);
  expect(measure).toHaveBeenCalledOnce();
});

it('is assumed while measuring takes longer than a request waits', async () => {
  const measured = Promise.withResolvers<MeasuredSpeed>();
  const speed = new WorkerSpeed(() => measured.promise);
  const first = speed.known();
  await vi.runAllTimersAsync();
  expect((await first).perMegapixel).toBeLessThan(1);
  measured.resolve(MEASURED);
  expect(await speed.known()).toBe(MEASURED);
});

it('is measured again after a failure', async () => {
  const measure = vi.fn(async () => MEASURED).mockRejectedValueOnce(new Error('no memory'));
  const speed = new WorkerSpeed(measure);
  await expect(speed.known()).rejects.toThrow('no memory');
  expect(await speed.known()).toBe(MEASURED);
});
