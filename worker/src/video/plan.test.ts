import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { planVideo, WorkerSpeed } from './plan.js';
import type { MeasuredSpeed } from './speed.js';

const base = { model: 'base' } as const;
const tools = { faceEnhance: base, backgroundEnhance: base };
/** Seconds measured on two cores. */
const speed = { perMegapixel: 0.04, perFace: 0.05 };
const hd = { width: 1280, height: 720, isBrowserPlayable: true };
const short = { ...hd, frameCount: 250 };
const longest = { ...hd, frameCount: 25 * 20 };
const long = { ...hd, frameCount: 25 * 60 };

it('restores faces where that ends in time', () => {
  for (const each of [short, longest]) {
    const plan = planVideo(each, tools, speed, 1920);
    expect(plan.recipe).toBe('faces');
    expect(plan.estimatedSeconds).toBeLessThanOrEqual(120);
  }
  expect(planVideo(long, tools, speed, 1920).recipe).toBe('signal');
  expect(planVideo(short, { backgroundEnhance: base }, speed, 1920).recipe).toBe('signal');
  expect(planVideo(short, tools, { perMegapixel: 0.4, perFace: 0.5 }, 1920).recipe).toBe('signal');
});

it('keeps the recipe of a short video while other work slows the machine down', () => {
  const idle = planVideo(short, tools, speed, 1920);
  const loaded = planVideo(short, tools, speed, 1920, 4);
  expect(loaded.recipe).toBe('faces');
  expect(loaded.estimatedSeconds).toBeGreaterThan(3 * idle.estimatedSeconds);
});

it("includes the encoding of an original that browsers can't play", () => {
  const estimate = (isBrowserPlayable: boolean) =>
    planVideo({ ...long, isBrowserPlayable }, {}, speed, 1920).estimatedSeconds;
  expect(estimate(false)).toBeGreaterThan(estimate(true));
});

const MEASURED: MeasuredSpeed = { perMegapixel: 1, perFace: 2 };
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
