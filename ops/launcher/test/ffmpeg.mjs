import { findExecutable, findInstaller, runInstaller } from './packages.mjs';

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
