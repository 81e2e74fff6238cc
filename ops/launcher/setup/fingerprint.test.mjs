import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStamp, fingerprint, listSources } from './fingerprint.mjs';

/** @type {string} */
let root;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'clearframe-fingerprint-'));
  for (const folder of ['api/src', 'api/dist', 'api/node_modules/x'])
    mkdirSync(path.join(root, folder), { recursive: true });
  writeFileSync(path.join(root, 'api/src/main.ts'), 'one');
  writeFileSync(path.join(root, 'api/dist/main.js'), 'made');
  writeFileSync(path.join(root, 'api/node_modules/x/index.js'), 'foreign');
});
afterEach(() => rmSync(root, { recursive: true }));

const current = () => fingerprint(root, listSources(root, ['api', 'absent']));

describe('the fingerprint of sources', () => {
  it('covers sources, not generated or installed files', () => {
    expect(listSources(root, ['api', 'absent'])).toEqual(['api/src/main.ts']);
  });

  it('is unchanged by a file written with the same content', () => {
    const before = current();
    writeFileSync(path.join(root, 'api/src/main.ts'), 'one');
    writeFileSync(path.join(root, 'api/dist/main.js'), 'made again');
    expect(current()).toBe(before);
  });

  it('changes with contents, names and further inputs', () => {
    const before = current();
    writeFileSync(path.join(root, 'api/src/main.ts'), 'two');
    const changed = current();
    renameSync(path.join(root, 'api/src/main.ts'), path.join(root, 'api/src/other.ts'));
    const renamed = current();
    const withExtra = fingerprint(root, ['api/src/other.ts'], ['linux']);
    expect(new Set([before, changed, renamed, withExtra]).size).toBe(4);
  });
});

describe('a stamp', () => {
  it('matches only the last value', () => {
    const stamp = createStamp(path.join(root, 'node_modules/.cache/stamp'));
    expect(stamp.matches('a')).toBe(false);
    stamp.write('a');
    stamp.write('b');
    expect([stamp.matches('a'), stamp.matches('b')]).toEqual([false, true]);
  });
});
