/** How often to look whether npm is still there, in milliseconds. */
const PARENT_INTERVAL = 200;

/**
 * Fires when this run is to end: at a signal, or when the npm that started it is gone. npm passes a signal that
 * only it received to its shell, which ends without passing it on.
 * @param {NodeJS.ProcessEnv} env
 * @returns {AbortSignal}
 */
export function listenForEnd(env) {
  const controller = new AbortController();
  // A second signal changes nothing: the end is under way.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => controller.abort());
  const parent = process.ppid;
  if (env.npm_lifecycle_event && parent !== 1) {
    setInterval(() => {
      if (process.ppid !== parent) controller.abort();
    }, PARENT_INTERVAL).unref();
  }
  return controller.signal;
}
