import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../processes/failure.mjs';
import { runCommand } from '../processes/processes.mjs';
import { withFirstOnPath } from './environment.mjs';
import { createStamp, fingerprint } from './fingerprint.mjs';

/** Minimum of api, worker and web. */
const RUNTIME_MAJOR = 24;

/**
 * @typedef {object} Toolchain
 * @property {string} root the checkout
 * @property {NodeJS.ProcessEnv} env of tools
 * @property {AbortSignal} stop ends tools
 */

/**
 * The pnpm pinned by package.json, which npm fetches and caches.
 * @param {Toolchain} toolchain
 * @param {readonly string[]} args
 * @param {{ show?: boolean }} [options]
 */
export function runPnpm({ root, env, stop }, args, { show = false } = {}) {
  const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const command = ['exec', '--yes', `--package=${packageManager}`, '--', 'pnpm', ...args];
  // CI=true: pnpm must not prompt, for instance before it replaces a node_modules.
  return runCommand('npm', command, { cwd: root, env: { CI: 'true', ...env }, stop, show });
}

/** @param {string} root */
function fingerprintOfPackages(root) {
  const manifests = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(path.join(root, entry.name, 'package.json')))
    .map((entry) => path.join(entry.name, 'package.json'))
    .sort();
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', ...manifests];
  return fingerprint(root, files, [process.platform, process.arch]);
}

/**
 * What the product runs and is built with, without what checks, tests and measures it. The tools that build pages are optional
 * dependencies, so that images can leave them out.
 */
const PRODUCT = [
  '--prod',
  ...['tests', 'bench', 'client', 'mcp', 'models'].map((room) => `--filter=!@clearframe/${room}`),
];

/**
 * Installs the packages of the lock file unless they are installed.
 * @param {Toolchain} toolchain
 * @param {import('../processes/report.mjs').Report} report
 * @param {'product' | 'everything'} what
 */
export async function installPackages(toolchain, report, what) {
  const stampOf = (/** @type {string} */ name) =>
    createStamp(path.join(toolchain.root, 'node_modules/.cache/clearframe', name));
  const everything = stampOf('install');
  // Installing the product alone would remove the other packages.
  const isProduct = what === 'product' && !everything.exists();
  const stamp = isProduct ? stampOf('install-product') : everything;
  const wanted = fingerprintOfPackages(toolchain.root);
  if (stamp.matches(wanted)) return;
  await report.step('installing packages', async () => {
    const { code, output } = await runPnpm(toolchain, ['install', '--frozen-lockfile', ...(isProduct ? PRODUCT : [])]);
    if (code !== 0) throw new Failure('The packages could not be installed; see the output of pnpm above.', output);
    stamp.write(wanted);
  });
}

/**
 * The Node for everything except the launcher.
 * @param {{ version: string, executable: string, bundled: string | null }} choice the running Node, its path,
 *   and the path of the packaged one
 */
export function chooseRuntime({ version, executable, bundled }) {
  if (Number(version.split('.')[0]) >= RUNTIME_MAJOR) return executable;
  if (bundled) return bundled;
  throw new Failure(
    `Clearframe runs on Node ${RUNTIME_MAJOR}; this is ${version} and none came with the packages for ${process.platform}-${process.arch}: install Node ${RUNTIME_MAJOR} (https://nodejs.org).`,
  );
}

/**
 * @param {Toolchain} toolchain
 * @returns {Promise<{ node: string, toolchain: Toolchain }>} toolchain: with node first on the PATH
 */
export async function findRuntime(toolchain) {
  const packaged = path.join(toolchain.root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
  // Run, not only found: a binary for another C library exists but does not start.
  const works = await runCommand(packaged, ['--version'], { stop: toolchain.stop }).then(
    ({ code }) => code === 0,
    () => false,
  );
  const node = chooseRuntime({
    version: process.versions.node,
    executable: process.execPath,
    bundled: works ? packaged : null,
  });
  return { node, toolchain: { ...toolchain, env: withFirstOnPath(toolchain.env, path.dirname(node)) } };
}
