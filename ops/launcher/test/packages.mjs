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
