import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { isRoot } from './checks.mjs';
import { runCommand } from './processes.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | null}
 */
function lookFor(env) {
  const folders = [...(env.PATH ?? '').split(path.delimiter).filter(Boolean), '/usr/bin'];
  const candidates = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  if (env.CHROMIUM_PATH) candidates.unshift(env.CHROMIUM_PATH);
  const isRunnable = (/** @type {string} */ file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  return candidates.find(isRunnable) ?? null;
}

/**
 * The browser of the browser tests: the one that is here, or Debian's, installed when this is root.
 * @param {import('./install.mjs').Workshop} workshop
 * @param {import('./report.mjs').Report} report
 * @returns {Promise<string | null>} null when there is none and none can be had, which is a failure of the run
 */
export async function findChromium({ env, stop }, report) {
  const found = lookFor(env);
  if (found || !isRoot) return found;
  return report.step('installing Chromium', async () => {
    const options = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' }, stop };
    const commands = [['update'], ['install', '-y', '--no-install-recommends', 'chromium']];
    for (const args of commands) {
      const { code, output } = await runCommand('apt-get', args, options).catch((error) => {
        if (stop.aborted) throw error;
        return { code: 1, output: String(error.message) };
      });
      if (code !== 0) report.line(output.trimEnd());
    }
    return lookFor(env);
  });
}
