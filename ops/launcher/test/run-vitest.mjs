import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Stopped } from '../processes/failure.mjs';
import { runCommand } from '../processes/processes.mjs';

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
  /** @type {Progress | null} */
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

/** @param {Progress | null} stalled counts as one failure */
const countOf = (stalled) => ({ passed: stalled?.passed ?? 0, failed: (stalled?.failed ?? 0) + 1 });

/**
 * @param {string} file
 * @returns {VitestReport | null} null if not written
 */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

const POLL_INTERVAL_MS = 1000;

/** @typedef {import('./progress-reporter.mjs').Progress} Progress */

/**
 * @param {string} file
 * @returns {Progress | null} null until written
 */
export function readProgress(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * Detects a stalled test run. Total time is not limited: a slow machine is not a failure.
 * @param {string} file of the progress reporter
 * @param {(stalled: Progress) => void} onStall called once
 * @param {number} [interval] milliseconds
 * @returns {() => void} ends the watch
 */
export function watchProgress(file, onStall, interval = POLL_INTERVAL_MS) {
  const timer = setInterval(() => {
    const progress = readProgress(file);
    if (!progress || Date.now() - progress.at <= progress.limit) return;
    clearInterval(timer);
    onStall(progress);
  }, interval);
  return () => clearInterval(timer);
}

/** @param {Progress} stalled */
export function describeStall({ at, running }) {
  const seconds = Math.round((Date.now() - at) / 1000);
  const names = running.length > 0 ? running : ['no test: the setup or the end of the run'];
  return [
    `No test or hook has started or finished for ${seconds} s. Running:`,
    ...names.map((name) => `  ${name}`),
  ].join('\n');
}

/**
 * Part of vitest's JSON report.
 * @typedef {object} VitestReport
 * @property {boolean} success
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {{ status: string, assertionResults: { status: string }[] }[]} testResults by file
 */

/**
 * Counts tests. A file that could not be loaded counts as one failure, as does a run that failed for another reason (an
 * unhandled rejection, a missing report).
 * @param {VitestReport | null} report
 * @param {number | null} exitCode vitest's
 */
export function tally(report, exitCode) {
  if (!report) return { passed: 0, failed: 1 };
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((one) => one.status !== 'failed'),
  );
  const failed = report.numFailedTests + brokenFiles.length;
  const isUnsuccessful = !report.success || exitCode !== 0;
  return { passed: report.numPassedTests, failed: failed === 0 && isUnsuccessful ? 1 : failed };
}
