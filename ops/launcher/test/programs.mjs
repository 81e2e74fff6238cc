import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { runCommand } from '../processes/processes.mjs';
import { isRoot } from '../setup/checks.mjs';

/** @param {string} file */
export function isRunnable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} names
 */
export function findExecutable(env, names) {
  const folders = [...(env.PATH ?? '').split(path.delimiter).filter(Boolean), '/usr/bin'];
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isRunnable) ?? null;
}

/** @param {NodeJS.ProcessEnv} env */
export const findInstaller = (env) => (isRoot ? findExecutable(env, ['apt-get']) : null);

/**
 * @param {string} installer
 * @param {readonly string[]} args
 * @param {Pick<import('../setup/install.mjs').Toolchain, 'env' | 'stop'>} toolchain
 * @returns {Promise<string | null>} its output when it fails
 */
export async function runInstaller(installer, args, { env, stop }) {
  const options = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' }, stop };
  const { code, output } = await runCommand(installer, [...args], options).catch((error) => {
    if (stop.aborted) throw error;
    return { code: 1, output: String(error.message) };
  });
  return code === 0 ? null : output.trimEnd();
}

/** Takes two thirds of the processor time of Chromium. */
const HEADLESS_SHELL = 'chromium-headless-shell';
const FULL_BROWSERS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * `CHROMIUM_PATH`, the headless shell (installed if root), or any other Chromium.
 * @param {import('../setup/install.mjs').Toolchain} toolchain
 * @param {import('../processes/report.mjs').Report} report
 * @returns {Promise<string | null>} null fails the run
 */
export async function findChromium({ env, stop }, report) {
  if (env.CHROMIUM_PATH && isRunnable(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH;
  const shell = findExecutable(env, [HEADLESS_SHELL]);
  const installer = findInstaller(env);
  if (shell || !installer) return shell ?? findExecutable(env, FULL_BROWSERS);
  return report.step('installing Chromium', async () => {
    const run = (/** @type {string[]} */ ...args) => runInstaller(installer, args, { env, stop });
    const install = (/** @type {string} */ name) => run('install', '-y', '--no-install-recommends', name);
    await run('update');
    await install(HEADLESS_SHELL);
    const found = findExecutable(env, [HEADLESS_SHELL, ...FULL_BROWSERS]);
    if (found) return found;
    const installError = await install('chromium');
    if (installError) report.line(installError);
    return findExecutable(env, FULL_BROWSERS);
  });
}

/**
 * Installs ffmpeg if root and none is there. Without it the worker uses the build of its npm package, which is of 2018.
 * @param {import('../setup/install.mjs').Toolchain} toolchain
 * @param {import('../processes/report.mjs').Report} report
 */
export async function provideFfmpeg({ env, stop }, report) {
  const installer = findInstaller(env);
  if (env.FFMPEG_PATH || findExecutable(env, ['ffmpeg']) || !installer) return;
  await report.step('installing ffmpeg', async () => {
    await runInstaller(installer, ['update'], { env, stop });
    const error = await runInstaller(installer, ['install', '-y', '--no-install-recommends', 'ffmpeg'], { env, stop });
    if (error) report.line(error);
  });
}
