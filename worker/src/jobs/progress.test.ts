import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProgressReporter } from './progress.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('progress', () => {
  const recorder = () => {
    const written: number[] = [];
    const reporter = new ProgressReporter(async ({ progress }) => written.push(progress));
    return { written, reporter };
  };

  it('is written immediately, then at most four times a second with the latest value', () => {
    const { written, reporter } = recorder();
    for (let index = 1; index <= 50; index++) reporter.report(index / 100);
    expect(written).toEqual([0.01]);
    vi.advanceTimersByTime(250);
    expect(written).toEqual([0.01, 0.5]);
    vi.advanceTimersByTime(1_000);
    expect(written).toEqual([0.01, 0.5]);
  });

  it('never decreases and never exceeds 1', () => {
    const { written, reporter } = recorder();
    for (const fraction of [0.5, 0.3, 7]) {
      reporter.report(fraction);
      vi.advanceTimersByTime(300);
    }
    expect(written).toEqual([0.5, 1]);
  });

  it('is written again when another step begins at the same progress', () => {
    const written: object[] = [];
    const reporter = new ProgressReporter(async (report) => written.push(report));
    reporter.report(0.2, { until: 0.2, seconds: 0 });
    vi.advanceTimersByTime(300);
    reporter.report(0.2, { until: 0.8, seconds: 3 });
    reporter.report(0.2, { until: 0.8, seconds: 2 });
    expect(written).toEqual([
      { progress: 0.2, until: 0.2, seconds: 0 },
      { progress: 0.2, until: 0.8, seconds: 3 },
    ]);
    reporter.stop();
  });

  it('is not written after the end', () => {
    const { written, reporter } = recorder();
    reporter.report(0.1);
    reporter.report(0.2);
    reporter.stop();
    reporter.report(0.3);
    vi.advanceTimersByTime(1_000);
    expect(written).toEqual([0.1]);
  });

  it('ignores failed writes', () => {
    const reporter = new ProgressReporter(() => Promise.reject(new Error('no Redis')));
    expect(() => reporter.report(0.5)).not.toThrow();
    reporter.stop();
  });
});
