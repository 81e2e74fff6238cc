import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** @type {string} */
let folder;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'clearframe-compile-'));
  mkdirSync(path.join(folder, 'room/src'), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  cpSync(path.join(ROOT, 'ops/launcher/setup/compile.mjs'), path.join(folder, 'compile.mjs'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (/** @type {string} */ name, /** @type {string} */ text) =>
  writeFileSync(path.join(folder, 'room', name), text);
const read = (/** @type {string} */ name) => readFileSync(path.join(folder, 'room', name), 'utf8');
const compile = () => promisify(execFile)(process.execPath, ['compile.mjs', 'room'], { cwd: folder });

describe('the compiler of development', () => {
  it('writes modules as tsc does, with the types of constructor parameters for Nest', async () => {
    write(
      'src/service.ts',
      "import { Store, type Rows } from './store.js';\ndeclare const Injectable: () => ClassDecorator;\n@Injectable()\nexport class Service { constructor(readonly store: Store) {}\n rows(): Rows { return []; } }",
    );
    await compile();
    expect(read('dist/service.js')).toMatch(/import \{ Store \} from ['"]\.\/store\.js['"]/);
    expect(read('dist/service.js')).toMatch(/design:paramtypes["'], \[[^\]]*Store/);
  });

  it('removes what has no source any more, and makes the next build of tsc a whole one', async () => {
    write('src/kept.ts', 'export const kept = 1;');
    write('src/gone.ts', 'export const gone = 1;');
    await compile();
    write('dist/.tsbuildinfo', '{}');
    rmSync(path.join(folder, 'room/src/gone.ts'));
    await compile();
    expect(existsSync(path.join(folder, 'room/dist/gone.js'))).toBe(false);
    expect(existsSync(path.join(folder, 'room/dist/kept.js'))).toBe(true);
    expect(existsSync(path.join(folder, 'room/dist/.tsbuildinfo'))).toBe(false);
  });

  it('keeps the last output of a file with an error, and names the file', async () => {
    write('src/one.ts', 'export const one = 1;');
    await compile();
    write('src/one.ts', 'export const one = ;');
    const later = new Date(Date.now() + 5000);
    utimesSync(path.join(folder, 'room/src/one.ts'), later, later);
    await expect(compile()).rejects.toMatchObject({ stderr: expect.stringContaining('one.ts') });
    expect(read('dist/one.js')).toContain('one = 1');
  });
});
