/** Interval of checking that npm still runs, in milliseconds. */
const PARENT_INTERVAL = 200;

/**
 * Aborts at a signal, or when the npm that started this run has exited. npm passes a signal that
 * only it received to its shell, which exits without passing it on.
 * @param {NodeJS.ProcessEnv} env
 * @returns {AbortSignal}
 */
export function listenForEnd(env) {
  const controller = new AbortController();
  // A second signal changes nothing: shutdown is under way.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => controller.abort());
  const parent = process.ppid;
  if (env.npm_lifecycle_event && parent !== 1) {
    setInterval(() => {
      if (process.ppid !== parent) controller.abort();
    }, PARENT_INTERVAL).unref();
  }
  return controller.signal;
}
