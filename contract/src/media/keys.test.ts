import { describe, expect, it } from 'vitest';
import { isSafeObjectKey, objectKeys } from './keys.js';

const [task, run] = ['8f9e7f7e-56b6-4f0e-9c61-000000000001', '8f9e7f7e-56b6-4f0e-9c61-000000000002'];

describe('an object key', () => {
  it.each([
    objectKeys.upload(task),
    objectKeys.input(task),
    objectKeys.results(task),
    objectKeys.run(task, run),
    objectKeys.master(task, run),
    objectKeys.report(task, run),
    objectKeys.tiles(task, run),
    objectKeys.rendition(task, run, 'result', 'image/jpeg'),
  ])('built by objectKeys is safe: %s', (key) => expect(isSafeObjectKey(key)).toBe(true));

  it.each([
    '',
    '/',
    '.',
    '..',
    '../x',
    'a/../b',
    'a/..',
    'a/./b',
    '/etc/passwd',
    'a//b',
    '.hidden',
    'a/.hidden',
    'a\\b',
    'a\0b',
    'a\nb',
    'a b',
    'ü',
    'a%2e',
    'a'.repeat(513),
  ])('that could leave the folder is unsafe: %j', (key) => expect(isSafeObjectKey(key)).toBe(false));

  it('is checked in linear time', () => {
    expect(isSafeObjectKey(`${'a.'.repeat(250)}!`)).toBe(false);
    expect(isSafeObjectKey('a/'.repeat(100_000))).toBe(false);
  });

  it('of a run is in its task’s folder', () => {
    expect(objectKeys.run(task, run).startsWith(objectKeys.results(task))).toBe(true);
    expect(objectKeys.master(task, run).startsWith(objectKeys.run(task, run))).toBe(true);
  });
});
