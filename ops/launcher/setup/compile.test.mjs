import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
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

  it('notices each change, of files that editors replace and of folders that are new', async () => {
    write('src/one.ts', 'export const one = 1;');
    const compiler = fork('compile.mjs', ['room'], { cwd: folder });
    try {
      await once(compiler, 'message');
      for (const value of [2, 3]) {
        const changed = once(compiler, 'message');
        write('one.new', `export const one = ${value};`);
        // Clocks of files tick slower than this test saves.
        const later = new Date(Date.now() + value * 5000);
        utimesSync(path.join(folder, 'room/one.new'), later, later);
        renameSync(path.join(folder, 'room/one.new'), path.join(folder, 'room/src/one.ts'));
        expect((await changed)[0]).toEqual({ changed: ['room'] });
        expect(read('dist/one.js')).toContain(`one = ${value}`);
      }
      const changed = once(compiler, 'message');
      mkdirSync(path.join(folder, 'room/src/more'));
      write('src/more/two.ts', 'export const two = 2;');
      expect((await changed)[0]).toEqual({ changed: ['room'] });
    } finally {
      compiler.kill();
      await once(compiler, 'exit');
    }
  });
});
