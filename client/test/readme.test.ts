import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useEnhance } from '../../api/test/support/enhance-fixture.js';
import { notPictures, picture } from '../../api/test/support/pictures.js';
import { finishingAll } from './support/finishing-all.ts';

const README = fileURLToPath(new URL('../README.md', import.meta.url));
const CLIENT = new URL('../src/index.ts', import.meta.url).href;
const PYTHON = fileURLToPath(new URL('../python', import.meta.url));

const enhance = useEnhance();
const { api, client } = enhance;
enhance.useWorker();

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearframe-readme-'));
  for (const name of ['photo.jpg', 'a.jpg', 'b.jpg']) await writeFile(join(folder, name), picture.png());
  await writeFile(join(folder, 'notes.pdf'), notPictures.pdf);
});
afterEach(() => rm(folder, { recursive: true }));

/** The examples of a language in their order, for the API of this test. */
async function examplesOf(language: string): Promise<string[]> {
  const text = await readFile(README, 'utf8');
  return [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, code = '']) =>
    code.replaceAll('cfk_…', client().key).replaceAll('http://localhost:3000', api().url),
  );
}

/** Runs a program, and the worker meanwhile. */
const run = (command: string, args: readonly string[], env: Record<string, string> = {}) =>
  finishingAll(enhance, promisify(execFile)(command, args, { cwd: folder, env: { PATH: process.env.PATH, ...env } }));

it('the examples in TypeScript run', async () => {
  const examples = await examplesOf('ts');
  // Webhooks, videos and addresses have tests of their own, with what they need.
  const runnable = examples.filter((code) => !/webhooks|\.video\(|outputUploadUrl/.test(code));
  expect(runnable.length).toBe(examples.length - 3);
  const program = ["import { openAsBlob } from 'node:fs';", "const file = await openAsBlob('a.jpg');", ...runnable];
  await writeFile(join(folder, 'examples.mts'), program.join('\n').replaceAll('@clearframe/client', CLIENT));
  const { stderr } = await run(process.execPath, ['examples.mts']);
  expect(stderr).toContain('uploads.unsupported_type');
  expect(await readdir(folder)).toEqual(expect.arrayContaining(['better.png', 'a.jpg.png', 'b.jpg.png']));
});

it('the example in Python runs', async () => {
  const [example = ''] = await examplesOf('python');
  const [program = '', webhook] = example.split('\nevent = ');
  expect(webhook).toContain('verify_webhook(');
  const { stdout } = await run('python3', ['-c', program], { PYTHONPATH: PYTHON, PYTHONDONTWRITEBYTECODE: '1' });
  expect(stdout).toMatch(/^[ab]\.jpg http.*\n[ab]\.jpg http/);
  expect(await readdir(folder)).toContain('better.png');
});
