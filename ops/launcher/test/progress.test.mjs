import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProgressReporter } from './progress-reporter.mjs';
import { describeStall, readProgress, watchProgress } from './run-vitest.mjs';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** @type {string} */
let folder;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'clearframe-progress-'));
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

/** A run of one file with one test. */
function createRun({ timeout = 20 * SECOND, hookTimeout = 10 * SECOND, retry = 0 } = {}) {
  const file = path.join(folder, 'progress.json');
  const project = { config: { testTimeout: 5 * SECOND, hookTimeout }, vitest: { config: { root: '/checkout' } } };
  const module = { type: 'module', id: '1', moduleId: '/checkout/tests/slow.test.ts', project, errors: () => [] };
  const testCase = {
    ...{ type: 'test', id: '1_0', module, project, task: { timeout } },
    ...{ name: 'waits', fullName: 'a page > waits', options: { retry }, result: () => ({ state: 'passed' }) },
  };
  // The parts of vitest's objects that the reporter reads.
  const reporter = /** @type {Record<string, (subject?: unknown) => void>} */ (createProgressReporter(file));
  reporter.onInit?.();
  return {
    file,
    module,
    testCase,
    report: (/** @type {string} */ event, /** @type {unknown} */ on) => reporter[event]?.(on),
  };
}

describe('the progress of a test run', () => {
  it('lists running files and tests and counts finished ones', () => {
    const { file, module, testCase, report } = createRun();
    report('onTestModuleQueued', module);
    report('onTestCaseReady', testCase);
    vi.advanceTimersByTime(SECOND);
    expect(readProgress(file)).toMatchObject({
      running: ['tests/slow.test.ts', 'tests/slow.test.ts > a page > waits'],
      passed: 0,
    });
    report('onTestCaseResult', testCase);
    report('onTestModuleEnd', module);
    vi.advanceTimersByTime(SECOND);
    expect(readProgress(file)).toMatchObject({ running: [], passed: 1, failed: 0 });
  });

  it('counts a file that could not be loaded as failed', () => {
    const { file, module, report } = createRun();
    report('onTestModuleQueued', module);
    report('onTestModuleEnd', { ...module, errors: () => [new Error('no such module')] });
    report('onTestRunEnd', []);
    expect(readProgress(file)).toMatchObject({ passed: 0, failed: 1 });
  });

  it('allows a test its own limit for each attempt', () => {
    const { file, module, testCase, report } = createRun({ timeout: 10 * MINUTE, retry: 1 });
    report('onTestModuleQueued', module);
    report('onTestCaseReady', testCase);
    report('onTestRunEnd', []);
    expect(readProgress(file)?.limit).toBeGreaterThanOrEqual(20 * MINUTE);
  });
});

describe('the watch over a test run', () => {
  it('allows a run as long as something finishes', () => {
    const { file, module, testCase, report } = createRun();
    const onStall = vi.fn();
    const unwatch = watchProgress(file, onStall);
    report('onTestModuleQueued', module);
    for (let count = 0; count < 20; count += 1) {
      report('onTestCaseReady', testCase);
      vi.advanceTimersByTime(5 * MINUTE);
      report('onTestCaseResult', testCase);
    }
    unwatch();
    expect(onStall).not.toHaveBeenCalled();
  });

  it('reports a stall once, with what was running', () => {
    const { file, module, testCase, report } = createRun();
    const onStall = vi.fn();
    watchProgress(file, onStall);
    report('onTestModuleQueued', module);
    report('onTestCaseReady', testCase);
    vi.advanceTimersByTime(30 * MINUTE);
    expect(onStall).toHaveBeenCalledTimes(1);
    expect(describeStall(onStall.mock.calls[0]?.[0])).toMatch(
      /finished for 1800 s\. .*slow\.test\.ts > a page > waits/s,
    );
  });

  it('ignores a run that has not begun', () => {
    const onStall = vi.fn();
    const unwatch = watchProgress(path.join(folder, 'none.json'), onStall);
    vi.advanceTimersByTime(30 * MINUTE);
    unwatch();
    expect(onStall).not.toHaveBeenCalled();
  });
});
