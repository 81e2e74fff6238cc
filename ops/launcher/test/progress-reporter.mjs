import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Progress of a test run, read by the launcher from a file.
 * @typedef {object} Progress
 * @property {number} at `Date.now()` when something last started or finished
 * @property {number} limit milliseconds from then until the run counts as stalled
 * @property {string[]} running files, tests and hooks
 * @property {number} passed tests
 * @property {number} failed tests and unloadable files
 */

/**
 * A running file, test or hook, with the sum of its own time limits in milliseconds.
 * @typedef {{ name: string, limit: number }} Activity
 */

/** For steps that vitest does not limit: loading a file, and the global setup, which may build the product. */
const UNLIMITED_STEP_MS = 300_000;
/** Delay of a timeout's report on a busy machine. */
const MARGIN_MS = 60_000;
const WRITE_INTERVAL_MS = 500;

/**
 * A vitest reporter that lets the launcher distinguish a slow run from a stalled one.
 * @param {string} file
 * @returns {Partial<import('vitest/reporters').Reporter>}
 */
export function createProgressReporter(file) {
  /** @type {Map<string, Activity>} */
  const running = new Map();
  /** @type {Progress} */
  const progress = { at: Date.now(), limit: UNLIMITED_STEP_MS + MARGIN_MS, running: [], passed: 0, failed: 0 };
  let isWritten = false;

  const write = () => {
    if (isWritten) return;
    isWritten = true;
    writeFileSync(`${file}.new`, JSON.stringify(progress));
    renameSync(`${file}.new`, file);
  };
  const note = () => {
    const activities = [...running.values()];
    progress.at = Date.now();
    progress.limit = Math.max(UNLIMITED_STEP_MS, ...activities.map(({ limit }) => limit)) + MARGIN_MS;
    progress.running = activities.map(({ name }) => name);
    isWritten = false;
  };
  const started = (/** @type {string} */ id, /** @type {Activity} */ activity) => {
    running.set(id, activity);
    note();
  };
  const finished = (/** @type {string} */ id) => {
    running.delete(id);
    note();
  };

  return {
    onInit() {
      note();
      write();
      setInterval(write, WRITE_INTERVAL_MS).unref();
    },
    onTestModuleQueued: (module) => started(module.id, { name: nameOf(module), limit: 0 }),
    onTestModuleStart: () => note(),
    onTestModuleEnd(module) {
      finished(module.id);
      if (module.errors().length > 0) progress.failed += 1;
    },
    onTestCaseReady: (testCase) => started(testCase.id, { name: nameOf(testCase), limit: limitOf(testCase) }),
    onTestCaseResult(testCase) {
      finished(testCase.id);
      const { state } = testCase.result();
      if (state === 'passed' || state === 'failed') progress[state] += 1;
    },
    onHookStart({ name, entity }) {
      const { hookTimeout } = entity.project.config;
      started(`${entity.id}:${name}`, { name: `${nameOf(entity)} (${name})`, limit: hookTimeout });
    },
    onHookEnd: ({ name, entity }) => finished(`${entity.id}:${name}`),
    onTestRunEnd() {
      note();
      write();
    },
  };
}

/** @param {import('vitest/node').TestModule | import('vitest/node').TestSuite | import('vitest/node').TestCase} entity */
function nameOf(entity) {
  const { moduleId, project } = entity.type === 'module' ? entity : entity.module;
  const file = path.relative(project.vitest.config.root, moduleId);
  return entity.type === 'module' ? file : `${file} > ${entity.fullName}`;
}

/**
 * For all attempts at a test, with its hooks. vitest's public types lack a test's own limit.
 * @param {import('vitest/node').TestCase} testCase
 */
function limitOf(testCase) {
  const { testTimeout, hookTimeout } = testCase.project.config;
  const own = /** @type {{ task?: { timeout?: number } }} */ (/** @type {unknown} */ (testCase)).task?.timeout;
  const { retry = 0, repeats = 0 } = testCase.options;
  const attempts = 1 + (typeof retry === 'number' ? retry : (retry.count ?? 0)) + repeats;
  return attempts * ((own ?? testTimeout) + 2 * hookTimeout);
}
