import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The built module: Node does not resolve the imports of its source. */
const SCRIPT = `
  const { runProcess } = await import('@clearframe/runtime/process');
  runProcess(async () => {
    process.on('message', () => void Promise.reject(new Error('the database is gone')));
    process.send('ready');
    return { close: async () => console.log('closed') };
  });`;

const outputOf = (stream: Readable | null) => text(stream ?? Readable.from([]));

it('closes the application after an unhandled rejection, and exits with 1', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.once('message', () => child.send('fail'));
  const exit = new Promise((resolve) => child.once('exit', resolve));
  const [output, errors] = await Promise.all([outputOf(child.stdout), outputOf(child.stderr)]);
  expect(output + errors).toContain('the database is gone');
  expect(output).toContain('closed');
  expect(await exit).toBe(1);
});
