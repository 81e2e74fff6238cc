import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchSilence } from './index.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a watch for silence', () => {
  it('calls back once, when nothing has progressed for the time', () => {
    const onSilence = vi.fn();
    watchSilence(1_000, onSilence);
    vi.advanceTimersByTime(999);
    expect(onSilence).not.toHaveBeenCalled();
    vi.advanceTimersByTime(10_000);
    expect(onSilence).toHaveBeenCalledOnce();
  });

  it('waits as long as something progresses', () => {
    const onSilence = vi.fn();
    const { progressed, stop } = watchSilence(1_000, onSilence);
    for (let step = 0; step < 100; step++) {
      vi.advanceTimersByTime(800);
      progressed();
    }
    stop();
    vi.advanceTimersByTime(10_000);
    expect(onSilence).not.toHaveBeenCalled();
  });
});
