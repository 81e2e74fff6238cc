import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../processes/failure.mjs';
import { runCommand } from '../processes/processes.mjs';
import { withFirstOnPath } from './environment.mjs';
import { createStamp, fingerprint } from './fingerprint.mjs';

/** The oldest Node that api, worker and web run on. */
export const RUNTIME_MAJOR = 24;

/**
 * Where and how tools such as compilers run.
 * @typedef {object} Toolchain
 * @property {string} root the checkout
 * @property {NodeJS.ProcessEnv} env what tools may see
 * @property {AbortSignal} stop ends whatever is running
 */

/**
 * Runs the pnpm that package.json pins; npm fetches and keeps it, so that nothing need be installed beforehand.
 * @param {Toolchain} toolchain
 * @param {readonly string[]} args
 * @param {{ show?: boolean }} [options]
 */
export function runPnpm({ root, env, stop }, args, { show = false } = {}) {
  const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const command = ['exec', '--yes', `--package=${packageManager}`, '--', 'pnpm', ...args];
  // CI=true: pnpm must never wait for an answer, for instance before it replaces a node_modules of another pnpm.
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

/** Needed by developers only: browser drivers, an emulator, the tools that rebuild the models. */
const ONLY_FOR_DEVELOPERS = ['tests', 'bench', 'models'].map((room) => `--filter=!@clearframe/${room}`);

/**
 * Makes node_modules agree with the lock file. Costs nothing when it already does.
 * @param {Toolchain} toolchain
 * @param {import('../processes/report.mjs').Report} report
 * @param {'product' | 'everything'} what a product alone downloads a quarter less
 */
export async function installPackages(toolchain, report, what) {
  const stampOf = (/** @type {string} */ name) =>
    createStamp(path.join(toolchain.root, 'node_modules/.cache/clearframe', name));
  const everything = stampOf('install');
  const stamp = what === 'everything' ? everything : stampOf('install-product');
  const wanted = fingerprintOfPackages(toolchain.root);
  if (stamp.matches(wanted) || everything.matches(wanted)) return;
  await report.step('installing packages', async () => {
    const filters = what === 'everything' ? [] : ONLY_FOR_DEVELOPERS;
    const { code, output } = await runPnpm(toolchain, ['install', '--frozen-lockfile', ...filters]);
    if (code !== 0) throw new Failure('The packages could not be installed; pnpm says why above.', output);
    stamp.write(wanted);
  });
}

/**
 * The Node that runs everything but this launcher.
 * @param {{ version: string, executable: string, bundled: string | null }} choice the running Node (`process.versions.node`),
 *   its path, and the path of the one that came with the packages
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
 * @returns {Promise<{ node: string, toolchain: Toolchain }>} the runtime, and the toolchain with it first on the PATH
 */
export async function findRuntime(toolchain) {
  const packaged = path.join(toolchain.root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
  // Asked, not only looked for: a binary for another C library is there but does not start.
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
