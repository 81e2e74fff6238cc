import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeFailure, Failure, Stopped } from '../processes/failure.mjs';
import { createStopSignal } from '../processes/processes.mjs';
import { createReport } from '../processes/report.mjs';
import { Supervisor } from '../processes/supervisor.mjs';
import { buildNode, buildWeb, compileOnce } from '../setup/build.mjs';
import { checkNpm, isRoot } from '../setup/checks.mjs';
import { cleanEnvironment } from '../setup/environment.mjs';
import { listSources } from '../setup/fingerprint.mjs';
import { findRuntime, installPackages, runPnpm } from '../setup/install.mjs';
import { makeSecret } from '../start/secrets.mjs';
import { preparePostgres } from '../stores/postgres.mjs';
import { resolvePostgresLayout } from '../stores/postgres-layout.mjs';
import { findRedis, prepareRedis } from '../stores/redis.mjs';
import { findChromium, provideFfmpeg } from './programs.mjs';
import { runVitest, watchVitest } from './run-vitest.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
/** Settings of a product on this machine must not affect the tests. */
const PRODUCT_VARIABLE =
  /^((CLEARFRAME|WEB|API|WORKER|LIMIT|QUEUE|MAIL|SMTP|FIREBASE|GOOGLE|PAYMENTS|SANDBOX|STRIPE|PAYPAL|RECAPTCHA|TAG_MANAGER|CONSENT_PLATFORM|SURVEY|ANALYTICS|MONITORING|STORAGE|S3|AWS|DATABASE|SELLER|SENTRY)_.*|(REDIS|PUBLIC)_URL|.*_PROVIDER|BLOCKED_(SERVICE_)?COUNTRIES|COUNTRY_HEADER|PAYMENT_ORIGINS|THIRD_PARTY_ORIGINS|TRUSTED_PROXIES|LOG_LEVEL)$/;

/**
 * @typedef {import('../setup/install.mjs').Toolchain} Toolchain
 * @typedef {import('../processes/report.mjs').Report} Report
 * @typedef {{ passed: number, failed: number }} Count
 * @typedef {object} Choice
 * @property {import('./run-vitest.mjs').Length} length
 * @property {readonly string[]} filters parts of paths of test files; none: all
 * @property {readonly string[]} options vitest's
 * @property {boolean} keepsStores runs no test
 */

/**
 * Runs a script of package.json as one check; prints its output on failure.
 * @param {Toolchain} toolchain
 * @param {Report} report
 * @param {string} script
 */
async function check(toolchain, report, script) {
  const { code, output } = await report.step(`checking: ${script}`, () => runPnpm(toolchain, ['run', script]));
  if (code === 0) return { passed: 1, failed: 0 };
  report.line(output.trimEnd());
  report.line(`${script} failed`);
  return { passed: 0, failed: 1 };
}

/**
 * Not durable, for speed.
 * @param {Toolchain} toolchain
 * @param {Report} report
 * @param {Supervisor} supervisor
 * @param {string} folder
 * @param {string} databaseFolder
 */
async function startStores({ env, stop }, report, supervisor, folder, databaseFolder) {
  const binary = await findRedis(env, report, stop);
  return report.step('starting PostgreSQL and Redis for the tests', async () => {
    const layout = resolvePostgresLayout({
      root,
      dataFolder: databaseFolder,
      sharedFolder: path.join(folder, 'shared'),
    });
    const password = makeSecret();
    const quick = { password, durable: false };
    const postgres = await preparePostgres({
      ...quick,
      layout,
      dataFolder: databaseFolder,
      passwordIsNew: false,
      stop,
    });
    await supervisor.start(postgres.service);
    // The tests of the api use 1 to 15, four files of the worker's that may run beside them the others.
    const redis = await prepareRedis({ ...quick, binary, folder: path.join(folder, 'redis'), databases: 20 });
    await supervisor.start(redis.service);
    return { TEST_DATABASE_URL: postgres.url, TEST_REDIS_URL: redis.url };
  });
}

/**
 * One after the other, since apt locks.
 * @param {Toolchain} toolchain
 * @param {Report} report
 * @returns {Promise<string | null>} Chromium
 */
async function installPrograms(toolchain, report) {
  const chromium = await findChromium(toolchain, report);
  await provideFfmpeg(toolchain, report);
  return chromium;
}

/**
 * @param {Toolchain} given
 * @param {Report} report
 * @param {Supervisor} supervisor
 * @param {{ folder: string, databaseFolder: string }} folders
 * @param {Choice} choice
 * @param {Count} total updated in place, so that a failure keeps earlier counts
 */
async function runAll(given, report, supervisor, { folder, databaseFolder }, { length }, total) {
  const add = (/** @type {Count} */ { passed, failed }) => {
    total.passed += passed;
    total.failed += failed;
  };
  checkNpm(given.env);
  await installPackages(given, report, 'everything');
  const { node, toolchain } = await findRuntime(given);
  await buildNode(toolchain, node, report);
  // `npm test` runs these; the long form does not repeat them.
  const scripts = length === 'long' ? [] : ['lint', 'typecheck'];
  // All of them need only what is compiled; none uses two cores. Installations wait for the network.
  const building = buildWeb(toolchain, node, report);
  const checks = scripts.map(async (script) => add(await check(toolchain, report, script)));
  const starting = startStores(toolchain, report, supervisor, folder, databaseFolder);
  // Starts once Redis is found or fetched: apt may refuse to run while it installs something else.
  const installing = starting.then(() => installPrograms(toolchain, report));
  const outcomes = await Promise.allSettled([building, ...checks, starting, installing]);
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  const stores = await starting;
  const chromium = await installing;
  if (!chromium) {
    report.line('Chromium is missing and could not be installed: install it, or set CHROMIUM_PATH. Counted as failed.');
    total.failed += 1;
  }
  const env = { ...toolchain.env, ...stores, ...(chromium ? { CHROMIUM_PATH: chromium } : {}) };
  add(await runVitest({ ...toolchain, env }, report, { node, folder, length }));
}

const ROOMS = [
  'api',
  'bench',
  'client',
  'contract',
  'models',
  'ops',
  'plugin',
  'runtime',
  'sandbox',
  'tests',
  'web',
  'worker',
];
/** Their tests use PostgreSQL and Redis; those of `tests` start products with stores of their own. */
const WITH_STORES = ['api', 'client', 'worker'];

/**
 * The rooms whose tests vitest would run.
 * @param {readonly string[]} filters parts of paths
 */
function roomsOf(filters) {
  const files = listSources(root, ROOMS).filter((file) => /\.test\.(?:ts|tsx|mjs)$/.test(file));
  const parts = filters.map((filter) =>
    path.isAbsolute(filter) ? path.relative(root, filter) : path.normalize(filter),
  );
  const unmatched = parts.filter((part) => !files.some((file) => file.includes(part)));
  if (unmatched.length > 0) throw new Failure(`No test file matches ${unmatched.join(', ')}.`);
  const selected = files.filter((file) => parts.some((part) => file.includes(part)));
  return new Set(selected.map((file) => file.slice(0, file.indexOf(path.sep))));
}

/**
 * Runs only the chosen files, without lint and types, and builds only what they need.
 * @param {Toolchain} given
 * @param {Report} report
 * @param {Supervisor} supervisor
 * @param {{ folder: string, databaseFolder: string }} folders
 * @param {Choice} choice
 * @returns {Promise<Count>}
 */
async function runSelected(given, report, supervisor, { folder, databaseFolder }, { length, filters, options }) {
  checkNpm(given.env);
  const rooms = roomsOf(filters);
  await installPackages(given, report, 'everything');
  const { node, toolchain } = await findRuntime(given);
  await compileOnce(toolchain, node);
  const usesBrowser = rooms.has('tests');
  if (usesBrowser) await buildWeb(toolchain, node, report);
  const usesStores = WITH_STORES.some((room) => rooms.has(room));
  const stores =
    usesStores && (keptStores() ?? (await startStores(toolchain, report, supervisor, folder, databaseFolder)));
  const chromium = usesBrowser && (await installPrograms(toolchain, report));
  const prepared = {
    ...toolchain,
    env: { ...toolchain.env, ...stores, ...(chromium && { CHROMIUM_PATH: chromium }) },
  };
  const isNamed = length === 'short' && filters.some((filter) => filter.includes('.long.test.'));
  /** @type {import('./run-vitest.mjs').Length} */
  const chosen = isNamed ? 'all' : length;
  const run = { node, folder, length: chosen, args: [...filters, ...options] };
  if (options.includes('--watch')) return watchVitest(prepared, run);
  return runVitest(prepared, report, run);
}

/** Written by `npm test -- --stores` while it runs. */
const KEPT_STORES = path.join(root, 'node_modules/.cache/clearframe/test-stores.json');

/** @returns {Record<string, string> | null} environment variables */
function keptStores() {
  try {
    const { pid, ...stores } = JSON.parse(readFileSync(KEPT_STORES, 'utf8'));
    process.kill(pid, 0);
    return stores;
  } catch {
    return null;
  }
}

/**
 * `npm test -- --stores`: keeps PostgreSQL and Redis for runs of single files.
 * @param {Toolchain} given
 * @param {Report} report
 * @param {Supervisor} supervisor
 * @param {{ folder: string, databaseFolder: string }} folders
 */
async function keepStores(given, report, supervisor, { folder, databaseFolder }) {
  await installPackages(given, report, 'everything');
  const stores = await startStores(given, report, supervisor, folder, databaseFolder);
  mkdirSync(path.dirname(KEPT_STORES), { recursive: true });
  writeFileSync(KEPT_STORES, JSON.stringify({ pid: process.pid, ...stores }), { mode: 0o600 });
  report.line('stores are ready for `npm test -- FILE`; Ctrl-C stops them');
  await new Promise((resolve) => given.stop.addEventListener('abort', resolve, { once: true }));
  rmSync(KEPT_STORES, { force: true });
  throw new Stopped();
}

/** A RAM disk, on Linux. */
const RAM_DISK = '/dev/shm';
const DATABASE_BYTES = 4 * 1024 ** 3;

/**
 * In memory if there is room: creating the 600 files of a test database takes 0.2 ms each there and 2 ms on some disks.
 */
function databaseParent() {
  try {
    const { bavail, bsize } = statfsSync(RAM_DISK);
    if (bavail * bsize > DATABASE_BYTES && freemem() > DATABASE_BYTES) return RAM_DISK;
  } catch {
    // Not available.
  }
  return tmpdir();
}

const LENGTHS = /** @type {const} */ ({ '--long': 'long', '--all': 'all' });

/**
 * @param {readonly string[]} args of `npm test`: `--long` or `--all`; `--stores`; or paths of test files, then options of vitest
 * @returns {Choice}
 */
export function readChoice(args) {
  const [first, ...rest] = args;
  const length = LENGTHS[/** @type {keyof typeof LENGTHS} */ (first)];
  const chosen = length ? rest : args;
  const end = chosen.findIndex((arg) => arg.startsWith('-'));
  const keepsStores = first === '--stores';
  return {
    length: length ?? 'short',
    filters: end === -1 ? chosen : chosen.slice(0, end),
    options: end === -1 || keepsStores ? [] : chosen.slice(end),
    keepsStores,
  };
}

/**
 * `npm test`: lint, types and tests, or the chosen test files alone.
 * @param {Choice} choice
 * @returns {Promise<number>} the exit code
 */
export async function test(choice) {
  const report = createReport(process.stdout);
  const stop = createStopSignal(process.env);
  const tools = Object.entries(cleanEnvironment(process.env)).filter(([name]) => !PRODUCT_VARIABLE.test(name));
  const toolchain = { root, env: Object.fromEntries(tools), stop };
  const folders = {
    folder: mkdtempSync(path.join(tmpdir(), 'clearframe-test-')),
    databaseFolder: mkdtempSync(path.join(databaseParent(), 'clearframe-test-')),
  };
  // Root's PostgreSQL runs as another user, who needs access.
  if (isRoot) for (const each of Object.values(folders)) chmodSync(each, 0o711);
  const supervisor = new Supervisor({ logFolder: path.join(folders.folder, 'logs'), report, stop });
  /** @type {Count} */
  const total = { passed: 0, failed: 0 };
  let wasStopped = false;
  try {
    if (choice.keepsStores) await keepStores(toolchain, report, supervisor, folders);
    else if (choice.filters.length === 0) await runAll(toolchain, report, supervisor, folders, choice, total);
    else Object.assign(total, await runSelected(toolchain, report, supervisor, folders, choice));
  } catch (error) {
    wasStopped = error instanceof Stopped;
    if (!wasStopped) report.line(describeFailure(error, process.env));
    total.failed += 1;
  }
  await supervisor.end(['redis', 'postgres'], 3000);
  for (const each of Object.values(folders)) rmSync(each, { recursive: true, force: true });
  if (wasStopped) return 130;
  report.line(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}
