import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { runCommand } from '../processes/processes.mjs';
import { isRoot } from '../setup/checks.mjs';

/** Headless Chromium: the same pages for two thirds of the processor time. */
const SHELL = 'chromium-headless-shell';
const WHOLE = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * @param {string} file
 * @returns {boolean}
 */
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
 * @returns {string | null}
 */
function lookFor(env, names) {
  const folders = [...(env.PATH ?? '').split(path.delimiter).filter(Boolean), '/usr/bin'];
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isRunnable) ?? null;
}

/**
 * The browser for the tests: `CHROMIUM_PATH`, the headless shell (installed when run as root), or any other Chromium.
 * @param {import('../setup/install.mjs').Toolchain} toolchain
 * @param {import('../processes/report.mjs').Report} report
 * @returns {Promise<string | null>} null when there is none and none can be installed, which fails the run
 */
export async function findChromium({ env, stop }, report) {
  if (env.CHROMIUM_PATH && isRunnable(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH;
  const shell = lookFor(env, [SHELL]);
  const installer = isRoot ? lookFor(env, ['apt-get']) : null;
  if (shell || !installer) return shell ?? lookFor(env, WHOLE);
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
    await install(SHELL);
    const found = lookFor(env, [SHELL, ...WHOLE]);
    if (found) return found;
    const complaint = await install('chromium');
    if (complaint) report.line(complaint);
    return lookFor(env, WHOLE);
  });
}
