/**
 * An error the user can fix. `message` is the sentence shown; `detail` is printed above it, whole
 * (a compiler's output, the last lines of a log).
 */
export class Failure extends Error {
  /**
   * @param {string} sentence
   * @param {string} [detail]
   */
  constructor(sentence, detail = '') {
    super(sentence);
    this.name = 'Failure';
    this.detail = detail;
  }
}

/** The run was asked to end (a signal); nothing is wrong. */
export class Stopped extends Error {
  constructor() {
    super('stopped');
    this.name = 'Stopped';
  }
}

/**
 * Node's error codes (`ENOENT`), or an empty text for anything else that was thrown.
 * @param {unknown} error
 */
export function codeOf(error) {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/**
 * What to print for whatever ended a run: never a stack trace, unless CLEARFRAME_DEBUG asks for one.
 * @param {unknown} error
 * @param {NodeJS.ProcessEnv} env
 */
export function describeFailure(error, env) {
  if (error instanceof Failure) return `${error.detail ? `${error.detail.trimEnd()}\n` : ''}${error.message}`;
  if (!(error instanceof Error)) return String(error);
  return env.CLEARFRAME_DEBUG ? String(error.stack) : `Clearframe could not go on: ${error.message}.`;
}
