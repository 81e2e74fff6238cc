import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { hasRunningOwner, OWN_FILES } from './owned-files.js';

it('tells files of this process from those of an earlier one with the same id', () => {
  expect(hasRunningOwner(`${OWN_FILES}a`)).toBe(true);
  expect(hasRunningOwner(OWN_FILES.replace(/^(\d+)\.\d+/, '$1.1'))).toBe(false);
  expect(hasRunningOwner(`${process.pid}-a`)).toBe(false);
});

it('leaves files of processes in another container to those', () => {
  expect(hasRunningOwner(`${process.pid}.1.1-a`)).toBe(true);
});

it('tells whether another process still runs', async () => {
  const other = spawn('/bin/cat', { stdio: ['pipe', 'pipe', 'ignore'] });
  const stat = readFileSync(`/proc/${other.pid}/stat`, 'utf8');
  const name = OWN_FILES.replace(/^\d+\.\d+/, `${other.pid}.${stat.split(' ')[21]}`);
  expect(hasRunningOwner(name)).toBe(true);
  other.stdin.end();
  await once(other, 'exit');
  expect(hasRunningOwner(name)).toBe(false);
});
