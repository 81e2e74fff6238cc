/** An error that the user can fix. */
export class Failure extends Error {
  /**
   * @param {string} message one sentence
   * @param {string} [detail] printed above it: a compiler's output, the end of a log
   */
  constructor(message, detail = '') {
    super(message);
    this.name = 'Failure';
    this.detail = detail;
  }
}

export class Stopped extends Error {
  constructor() {
    super('stopped');
    this.name = 'Stopped';
  }
}

/**
 * Node's error code (`ENOENT`), or ''.
 * @param {unknown} error
 */
export function codeOf(error) {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/**
 * Prints stack traces only with CLEARFRAME_DEBUG.
 * @param {unknown} error
 * @param {NodeJS.ProcessEnv} env
 */
export function describeFailure(error, env) {
  if (error instanceof Failure) return `${error.detail ? `${error.detail.trimEnd()}\n` : ''}${error.message}`;
  if (!(error instanceof Error)) return String(error);
  return env.CLEARFRAME_DEBUG ? String(error.stack) : `Clearframe stopped unexpectedly: ${error.message}.`;
}
