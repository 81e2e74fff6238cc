import { describe, expect, it } from 'vitest';
import { tally } from './run-vitest.mjs';

describe('the tally of a test run', () => {
  const file = (/** @type {string} */ status, /** @type {string[]} */ ...tests) => ({
    status,
    assertionResults: tests.map((one) => ({ status: one })),
  });

  it('counts tests', () => {
    const testResults = [file('failed', 'passed', 'failed'), file('passed', 'passed')];
    const report = { success: false, numPassedTests: 2, numFailedTests: 1, testResults };
    expect(tally(report, 1)).toEqual({ passed: 2, failed: 1 });
  });

  it('counts a file that could not be loaded', () => {
    const testResults = [file('failed'), file('passed', 'passed')];
    const report = { success: false, numPassedTests: 1, numFailedTests: 0, testResults };
    expect(tally(report, 1)).toEqual({ passed: 1, failed: 1 });
  });

  it('counts an unsuccessful run as a failure', () => {
    const report = { success: true, numPassedTests: 1, numFailedTests: 0, testResults: [file('passed', 'passed')] };
    expect(tally(report, 0)).toEqual({ passed: 1, failed: 0 });
    expect(tally(report, 1)).toEqual({ passed: 1, failed: 1 });
    expect(tally({ ...report, success: false }, 0)).toEqual({ passed: 1, failed: 1 });
    expect(tally(null, 0)).toEqual({ passed: 0, failed: 1 });
  });
});
