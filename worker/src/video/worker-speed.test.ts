import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WorkerSpeed } from './plan.js';
import type { MeasuredSpeed } from './speed.js';

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
