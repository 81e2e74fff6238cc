/** Milliseconds. */
const PARENT_CHECK_INTERVAL = 200;

/**
 * Aborts on a signal, or when the npm that started this run has exited: npm passes a signal that only it received to
 * its shell, which exits without passing it on.
 * @param {NodeJS.ProcessEnv} env
 */
export function createStopSignal(env) {
  const controller = new AbortController();
  // A second signal has no effect.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => controller.abort());
  const parent = process.ppid;
  if (env.npm_lifecycle_event && parent !== 1) {
    setInterval(() => {
      if (process.ppid !== parent) controller.abort();
    }, PARENT_CHECK_INTERVAL).unref();
  }
  return controller.signal;
}
