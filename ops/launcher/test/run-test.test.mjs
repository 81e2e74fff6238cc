import { describe, expect, it } from 'vitest';
import { readChoice } from './run-test.mjs';

describe('the arguments of npm test', () => {
  it.each([
    [[], { length: 'short', filters: [], options: [] }],
    [['--all'], { length: 'all', filters: [], options: [] }],
    [['--long', 'tests/e2e'], { length: 'long', filters: ['tests/e2e'], options: [] }],
    [['api', 'web/app'], { length: 'short', filters: ['api', 'web/app'], options: [] }],
    [
      ['web/app/x.test.ts', '-t', 'a title', '--watch'],
      { length: 'short', filters: ['web/app/x.test.ts'], options: ['-t', 'a title', '--watch'] },
    ],
  ])('%j are a length, files and options of vitest', (args, choice) => {
    expect(readChoice(args)).toEqual({ ...choice, keepsStores: false });
  });

  it('keep stores without running a test', () => {
    expect(readChoice(['--stores'])).toMatchObject({ keepsStores: true, filters: [], options: [] });
  });
});
