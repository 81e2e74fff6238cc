import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { freePorts, type PortRange } from './ports.ts';

const MODULE = new URL('./ports.ts', import.meta.url).href;

async function portsOfAnotherProcess(count: number, range: PortRange): Promise<number[]> {
  const script = `
    const { freePorts } = await import(${JSON.stringify(MODULE)});
    console.log(JSON.stringify(await freePorts(${count}, ${JSON.stringify(range)})));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  return JSON.parse(stdout);
}

const FIRST = 10_000 + (process.pid % 237) * 8;

it('gives a port to one process at a time', async () => {
  const range = { first: FIRST, count: 3 };
  const own = await freePorts(2, range);
  const [other] = await portsOfAnotherProcess(1, range);
  expect([...own, other].toSorted()).toEqual([range.first, range.first + 1, range.first + 2]);
  expect(await freePorts(1, range)).toEqual([other]);
  await expect(freePorts(1, range)).rejects.toThrow('only 0 of 1 ports are free');
});

it('leaves out a port on which a server listens', async () => {
  const range = { first: FIRST + 4, count: 2 };
  const server = createServer().listen(range.first, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  expect(await freePorts(1, range)).toEqual([range.first + 1]);
});
