import { describe, expect, it } from 'vitest';
import { unlessAborted, withTimeout } from './index.js';

const never = new Promise<never>(() => undefined);
const late = () => {
  throw new Error('late');
};

describe('withTimeout', () => {
  it('returns the result, or throws the error, of work in time', async () => {
    expect(await withTimeout(Promise.resolve(7), 60_000, late)).toBe(7);
    await expect(withTimeout(Promise.reject(new Error('own')), 60_000, late)).rejects.toThrow('own');
  });

  it('returns or throws as its callback does when work takes longer', async () => {
    expect(await withTimeout(never, 1, () => 'fallback')).toBe('fallback');
    await expect(withTimeout(never, 1, late)).rejects.toThrow('late');
  });

  it('handles the failure of work that is no longer waited for', async () => {
    const unhandled: unknown[] = [];
    const record = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', record);
    const { promise, reject } = Promise.withResolvers<void>();
    await withTimeout(promise, 1, () => undefined);
    reject(new Error('after the timeout'));
    await new Promise(setImmediate);
    process.off('unhandledRejection', record);
    expect(unhandled).toEqual([]);
  });
});

describe('unlessAborted', () => {
  it('returns the result, or throws the error, of work', async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(Promise.resolve(7), signal)).toBe(7);
    await expect(unlessAborted(Promise.reject(new Error('own')), signal)).rejects.toThrow('own');
  });

  it('throws the reason of a signal that is aborted, before or meanwhile', async () => {
    const controller = new AbortController();
    const working = unlessAborted(never, controller.signal);
    controller.abort(new Error('stopped'));
    await expect(working).rejects.toThrow('stopped');
    await expect(unlessAborted(never, controller.signal)).rejects.toThrow('stopped');
  });
});
