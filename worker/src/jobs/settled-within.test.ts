import { describe, expect, it } from 'vitest';
import { settledWithin } from './run-executor.js';

const never = new Promise<never>(() => undefined);

describe('abortable work', () => {
  it('settles with its own result or error', async () => {
    const { signal } = new AbortController();
    expect(await settledWithin(Promise.resolve(7), signal, 1)).toBe(7);
    await expect(settledWithin(Promise.reject(new Error('own')), signal, 1)).rejects.toThrow('own');
  });

  it('is abandoned if it does not stop', async () => {
    const controller = new AbortController();
    const outcome = settledWithin(never, controller.signal, 1);
    controller.abort(new Error('enough'));
    await expect(outcome).rejects.toThrow('enough');
  });

  it('may finish within the grace period', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    expect(await settledWithin(Promise.resolve('just in time'), signal, 1)).toBe('just in time');
  });
});
