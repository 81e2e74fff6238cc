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
  const NOW = 1_000_000;
  const crash = (wasReady = false, time = NOW) => ({ time, wasReady });
  const delaysAfter = (/** @type {readonly boolean[]} */ starts) =>
    starts.map((_, index) =>
      restartDelay(
        starts.slice(0, index + 1).map((wasReady) => crash(wasReady)),
        NOW,
      ),
    );

  it('grows with each crash within a minute and gives up at the fifth failed start', () => {
    expect(delaysAfter([false, false, false, false, false])).toEqual([100, 300, 900, 2700, null]);
  });

  it('starts what was ready again, however often it ends', () => {
    expect(delaysAfter([true, true, true, true, true, true])).toEqual([100, 300, 900, 2700, 2700, 2700]);
    expect(delaysAfter([false, false, false, false, true, false]).at(-1)).toBe(null);
  });

  it('ignores earlier crashes', () => {
    const earlier = [70_000, 65_000, 61_000, 60_000].map((ago) => crash(false, NOW - ago));
    expect(restartDelay([...earlier, crash()], NOW)).toBe(100);
  });
});

describe('a supervised service', () => {
  it('is restarted each time it is killed', async () => {
    const { spec, pids } = service('console.log("up"); setInterval(() => {}, 1000)');
    /** Processes that the supervisor has found ready. */
    const ready = new Set();
    const { isReady } = spec;
    spec.isReady = async () => {
      const isUp = await isReady();
      if (isUp) ready.add(pids.at(-1));
      return isUp;
    };
    await supervisor.start(spec);
    for (let kills = 1; kills <= 5; kills++) {
      process.kill(Number(pids.at(-1)), 'SIGKILL');
      await expect.poll(() => ready.size).toBe(kills + 1);
    }
  });

  it('is killed when it ignores the stop signal', async () => {
    const { spec, pids } = service('process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1000)');
    await supervisor.start(spec);
    await supervisor.end(['one'], 50);
    expect(() => process.kill(Number(pids[0]), 0)).toThrow('ESRCH');
    expect(pids).toHaveLength(1);
  });

  it('is replaced at once after a change, without counting as a crash', async () => {
    const { spec, pids } = service('process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1000)');
    await supervisor.start(spec);
    for (let changes = 1; changes <= 6; changes++) await supervisor.restart(['one']);
    expect(pids).toHaveLength(7);
    expect(() => process.kill(Number(pids.at(-2)), 0)).toThrow('ESRCH');
    expect(() => process.kill(Number(pids.at(-1)), 0)).not.toThrow();
  });

  it('that ended in development waits for a change', async () => {
    const { spec, pids } = service('console.log("up"); setInterval(() => {}, 1000)');
    await supervisor.start({ ...spec, waitsForChange: true });
    process.kill(Number(pids[0]), 'SIGKILL');
    await supervisor.restart(['one']);
    expect(pids).toHaveLength(2);
  });

  it('is waited for as long as it uses processor time', async () => {
    const work = 'const end = Date.now() + 40; while (Date.now() < end);';
    const { spec } = service(`let left = 12; setInterval(() => { ${work} if (--left === 0) console.log("up"); }, 100)`);
    await supervisor.start(spec, { limitMs: 600, progressTicks: 1 });
  });

  it('that does nothing fails the start, with the reason that it gives', async () => {
    const { spec } = service('setInterval(() => {}, 60_000)');
    await expect(supervisor.start(spec, { limitMs: 300, progressTicks: 100 })).rejects.toThrow(
      /^one is not ready: it has made no progress for 0.3 s; its log is /,
    );
    await supervisor.end(['one'], 1000);
    spec.whyNotReady = async () => '1 MB is free';
    await expect(supervisor.start(spec, { limitMs: 300, progressTicks: 100 })).rejects.toThrow(
      /^one is not ready: 1 MB is free; its log is /,
    );
  });

  it('that keeps crashing fails the start with its name and last output', async () => {
    const { spec } = service('console.log("no licence"); process.exit(3)');
    spec.isReady = async () => false;
    await expect(supervisor.start(spec)).rejects.toMatchObject({
      message: expect.stringMatching(/^one ended 5 times within a minute before it was ready \(exit code 3\)/),
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
