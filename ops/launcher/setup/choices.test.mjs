import { describe, expect, it } from 'vitest';
import { quote } from '../stores/redis.mjs';
import { cacheFolder, isNewEnough } from '../stores/redis-binary.mjs';
import { tally } from '../test/tally.mjs';
import { chooseRuntime } from './install.mjs';

describe('the runtime', () => {
  const executable = '/usr/bin/node';
  it('is the Node of the PATH from 24 on', () => {
    expect(chooseRuntime({ version: '24.0.0', executable, bundled: '/packaged' })).toBe(executable);
    expect(chooseRuntime({ version: '26.1.0', executable, bundled: null })).toBe(executable);
  });

  it('is the packaged one under an older Node', () => {
    expect(chooseRuntime({ version: '18.20.0', executable, bundled: '/packaged' })).toBe('/packaged');
  });

  it('is asked for in one sentence where there is neither', () => {
    expect(() => chooseRuntime({ version: '20.1.0', executable, bundled: null })).toThrow(
      /runs on Node 24; this is 20.1.0/,
    );
  });
});

describe('Redis', () => {
  it.each([
    ['Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64', true],
    ['Redis server v=6.2.0 sha=00000000:0', true],
    ['Redis server v=6.0.16 sha=00000000:0', false],
    ['Redis server v=5.0.14', false],
    ['Valkey server v=8.1.1 sha=00000000:0', true],
    ['Redis server v=10.0.0', true],
    ['command not found', false],
  ])('%s is new enough: %s', (line, expected) => {
    expect(isNewEnough(line)).toBe(expected);
  });

  it('is cached in the cache folder of the user', () => {
    expect(cacheFolder({ XDG_CACHE_HOME: '/cache', HOME: '/home/ada' })).toBe('/cache/clearframe/redis');
    expect(cacheFolder({ HOME: '/home/ada' })).toBe('/home/ada/.cache/clearframe/redis');
  });

  it('is told folders with odd names', () => {
    expect(quote('/a "b" \\c')).toBe('"/a \\"b\\" \\\\c"');
  });
});

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

  it('never calls a run good that ended badly', () => {
    const report = { success: true, numPassedTests: 1, numFailedTests: 0, testResults: [file('passed', 'passed')] };
    expect(tally(report, 0)).toEqual({ passed: 1, failed: 0 });
    expect(tally(report, 1)).toEqual({ passed: 1, failed: 1 });
    expect(tally({ ...report, success: false }, 0)).toEqual({ passed: 1, failed: 1 });
    expect(tally(null, 0)).toEqual({ passed: 0, failed: 1 });
  });
});
