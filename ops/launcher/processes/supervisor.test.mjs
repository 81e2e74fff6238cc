import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claim } from '../start/instance.mjs';
import { createReport } from './report.mjs';
import { restartDelay, Supervisor } from './supervisor.mjs';

/** @type {string} */
let folder;
/** @type {Supervisor} */
let supervisor;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'clearframe-supervisor-'));
  const report = createReport(new PassThrough().resume());
  supervisor = new Supervisor({ logFolder: folder, report, stop: new AbortController().signal });
});
afterEach(async () => {
  await supervisor.end(['one'], 1000);
  rmSync(folder, { recursive: true });
});

/**
 * Ready once it has printed 'up'.
 * @param {string} script run by Node
 */
function service(script) {
  /** @type {number[]} */
  const pids = [];
  /** @type {import('./supervisor.mjs').ServiceSpec} */
  const spec = {
    name: 'one',
    stopSignal: 'SIGTERM',
    lastSignal: 'SIGKILL',
    launch: async (output) => {
      const child = spawn(process.execPath, ['-e', script], { detached: true, stdio: ['ignore', output, output] });
      if (child.pid) pids.push(child.pid);
      return child;
    },
    isReady: async () => readFileSync(path.join(folder, 'one.log'), 'utf8').split('up').length > pids.length,
  };
  return { spec, pids };
}

describe('the backoff', () => {
  it('grows with each crash within a minute and gives up at the fifth', () => {
    const now = 1_000_000;
    const delays = [1, 2, 3, 4, 5].map((count) => restartDelay(Array(count).fill(now), now));
    expect(delays).toEqual([100, 300, 900, 2700, null]);
  });

  it('ignores earlier crashes', () => {
    const now = 1_000_000;
    expect(restartDelay([now - 70_000, now - 65_000, now - 61_000, now - 60_000, now], now)).toBe(100);
  });
});

describe('a supervised service', () => {
  it('is restarted when it is killed', async () => {
    const { spec, pids } = service('console.log("up"); setInterval(() => {}, 1000)');
    await supervisor.start(spec);
    process.kill(Number(pids[0]), 'SIGKILL');
    await expect.poll(async () => pids.length === 2 && (await spec.isReady())).toBe(true);
  });

  it('is killed when it ignores the stop signal', async () => {
    const { spec, pids } = service('process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1000)');
    await supervisor.start(spec);
    await supervisor.end(['one'], 50);
    expect(() => process.kill(Number(pids[0]), 0)).toThrow('ESRCH');
    expect(pids).toHaveLength(1);
  });

  it('that keeps crashing fails the start with its name and last output', async () => {
    const { spec } = service('console.log("no licence"); process.exit(3)');
    spec.isReady = async () => false;
    await expect(supervisor.start(spec)).rejects.toMatchObject({
      message: expect.stringMatching(/^one ended 5 times within a minute \(exit code 3\)/),
      detail: expect.stringContaining('no licence'),
    });
  }, 15_000);
});

describe('a data folder', () => {
  it('is claimed by one launcher, which the error of a second one names', async () => {
    const first = await claim(folder, 'http://localhost:3000');
    await expect(claim(folder, 'http://localhost:3100')).rejects.toThrow(
      `process ${process.pid}, http://localhost:3000.`,
    );
    first.release();
    expect(existsSync(path.join(folder, 'launcher.json'))).toBe(false);
  });
});
