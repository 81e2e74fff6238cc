import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const PRELOADED = fileURLToPath(new URL('../secret-files.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'clearframe-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** @param {string} text */
function fileWith(text) {
  const file = join(folder, `${Math.random()}`);
  writeFileSync(file, text);
  return file;
}

const PRINT = `console.log(JSON.stringify([process.env.SMTP_URL, process.env.SMTP_URL_FILE]))`;
const PRINT_OF_CHILD = `import('node:child_process').then(({ execFileSync }) =>
  process.stdout.write(execFileSync(process.execPath, ['-e', ${JSON.stringify(PRINT)}])))`;

/**
 * As the images do.
 * @param {Record<string, string>} environment
 */
function start(environment, program = PRINT) {
  const env = { PATH: process.env.PATH, NODE_OPTIONS: `--import=${PRELOADED}`, ...environment };
  return spawnSync(process.execPath, ['-e', program], { env, encoding: 'utf8' });
}

it('reads a secret from the file that NAME_FILE names, without its last newline', () => {
  const { stdout } = start({ SMTP_URL_FILE: fileWith('smtps://user:a b@host\n') });
  expect(JSON.parse(stdout)).toEqual(['smtps://user:a b@host', null]);
});

it('passes it on to processes that the program starts', () => {
  const { stdout } = start({ SMTP_URL_FILE: fileWith('smtps://host') }, PRINT_OF_CHILD);
  expect(JSON.parse(stdout)).toEqual(['smtps://host', null]);
});

it('leaves variables as they are where no file is named', () => {
  expect(JSON.parse(start({ SMTP_URL: 'smtp://host', SMTP_URL_FILE: '' }).stdout)).toEqual(['smtp://host', null]);
});

it('drops the last newline of a variable that Kubernetes makes of a file', () => {
  expect(JSON.parse(start({ SMTP_URL: 'smtp://host\n' }).stdout)).toEqual(['smtp://host', null]);
});

it.each([
  ['is missing', { SMTP_URL_FILE: join(folder, 'absent') }, "SMTP_URL_FILE: can't be read: ENOENT"],
  ['is empty', { SMTP_URL_FILE: fileWith('\n') }, 'SMTP_URL_FILE: '],
  ['is not the only value', { SMTP_URL_FILE: fileWith('a'), SMTP_URL: 'b' }, 'SMTP_URL: is set, and so is'],
])('stops the start where the file %s', (_what, environment, message) => {
  const { status, stdout, stderr } = start(environment);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain(message);
});
