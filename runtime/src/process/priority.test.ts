import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const AUTOGROUP = '/proc/self/autogroup';
const groupOf = () => (existsSync(AUTOGROUP) ? readFileSync(AUTOGROUP, 'utf8').trim() : 'none');
const MODULE = new URL('./priority.ts', import.meta.url).href;
const SCRIPT = `
  const { existsSync, readFileSync } = await import('node:fs');
  const { lowerSessionPriority } = await import('${MODULE}');
  lowerSessionPriority(5);
  console.log(existsSync('${AUTOGROUP}') ? readFileSync('${AUTOGROUP}', 'utf8').trim() : 'none');`;
const ARGUMENTS = ['--input-type=module', '--eval', SCRIPT];

describe('the priority of a session', () => {
  it('is lowered by its leader', async () => {
    const child = spawn(process.execPath, ARGUMENTS, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    const group = (await text(child.stdout)).trim();
    expect(group).toMatch(existsSync(AUTOGROUP) ? /^\S+ nice 5$/ : /^none$/);
  });

  it('is left as it is by another process', async () => {
    const before = groupOf();
    const { stdout } = await promisify(execFile)(process.execPath, ARGUMENTS);
    expect(stdout.trim()).toBe(before);
  });
});
