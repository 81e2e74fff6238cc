import { findExecutable, findInstaller, isRunnable, runInstaller } from './packages.mjs';

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
