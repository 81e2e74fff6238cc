import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Stopped } from '../processes/failure.mjs';
import { runCommand } from '../processes/processes.mjs';
import { describeStall, watchProgress } from './progress-watch.mjs';
import { tally } from './tally.mjs';

/**
 * @typedef {import('../setup/install.mjs').Toolchain} Toolchain
 * @typedef {'short' | 'long' | 'all'} Length `short`: `npm test`; `long`: `npm run test:long`
 */

/**
 * @typedef {object} VitestRun
 * @property {string} node
 * @property {string} folder for reports
 * @property {Length} length
 * @property {readonly string[]} [args] filters and options
 */

/** Lets vitest keep compiled modules (vitest.config.ts). */
const SELECTION = { VITEST_SELECTION: 'true' };

const VITEST = 'node_modules/vitest/vitest.mjs';

/**
 * Runs vitest in the foreground until it is left.
 * @param {Toolchain} toolchain
 * @param {VitestRun} run
 */
export async function watchVitest({ root, env }, { node, length, args = [] }) {
  const child = spawn(node, [VITEST, ...args], {
    cwd: root,
    env: { ...env, ...SELECTION, VITEST_LENGTH: length },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
}

/**
 * Runs vitest until it ends or stalls.
 * @param {Toolchain} toolchain
 * @param {import('../processes/report.mjs').Report} report
 * @param {VitestRun} run
 */
export async function runVitest({ root, env, stop }, report, { node, folder, length, args = [] }) {
  const ending = new AbortController();
  const end = () => ending.abort();
  stop.addEventListener('abort', end, { once: true });
  /** @type {import('./progress-watch.mjs').Progress | null} */
  let stalled = null;
  const unwatch = watchProgress(path.join(folder, 'progress.json'), (progress) => {
    stalled = progress;
    report.line(describeStall(progress));
    end();
  });
  try {
    const { code } = await runCommand(node, [VITEST, 'run', ...args], {
      cwd: root,
      env: {
        ...env,
        VITEST_REPORT_FOLDER: folder,
        VITEST_LENGTH: length,
        ...(args.length > 0 && SELECTION),
        // Tests start a hundred processes of the product, which load the same code.
        NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
      },
      stop: ending.signal,
      show: true,
      // A crashed test may leave a product running.
      sweep: true,
    });
    return tally(readReport(path.join(folder, 'vitest.json')), code);
  } catch (error) {
    if (stop.aborted || !(error instanceof Stopped)) throw error;
    return countOf(stalled);
  } finally {
    unwatch();
    stop.removeEventListener('abort', end);
  }
}

/** @param {import('./progress-watch.mjs').Progress | null} stalled counts as one failure */
const countOf = (stalled) => ({ passed: stalled?.passed ?? 0, failed: (stalled?.failed ?? 0) + 1 });

/**
 * @param {string} file
 * @returns {import('./tally.mjs').VitestReport | null} null if not written
 */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
