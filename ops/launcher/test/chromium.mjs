import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { runCommand } from '../processes/processes.mjs';
import { isRoot } from '../setup/checks.mjs';

/** Takes two thirds of the processor time of Chromium. */
const HEADLESS_SHELL = 'chromium-headless-shell';
const FULL_BROWSERS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** @param {string} file */
function isRunnable(file) {
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
function findExecutable(env, names) {
  const folders = [...(env.PATH ?? '').split(path.delimiter).filter(Boolean), '/usr/bin'];
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isRunnable) ?? null;
}

/**
 * `CHROMIUM_PATH`, the headless shell (installed if root), or any other Chromium.
 * @param {import('../setup/install.mjs').Toolchain} toolchain
 * @param {import('../processes/report.mjs').Report} report
 * @returns {Promise<string | null>} null fails the run
 */
export async function findChromium({ env, stop }, report) {
  if (env.CHROMIUM_PATH && isRunnable(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH;
  const shell = findExecutable(env, [HEADLESS_SHELL]);
  const installer = isRoot ? findExecutable(env, ['apt-get']) : null;
  if (shell || !installer) return shell ?? findExecutable(env, FULL_BROWSERS);
  return report.step('installing Chromium', async () => {
    const options = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' }, stop };
    const run = async (/** @type {string[]} */ ...args) => {
      const { code, output } = await runCommand(installer, args, options).catch((error) => {
        if (stop.aborted) throw error;
        return { code: 1, output: String(error.message) };
      });
      return code === 0 ? null : output.trimEnd();
    };
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
