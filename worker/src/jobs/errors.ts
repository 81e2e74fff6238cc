import { UnrecoverableError } from 'bullmq';

/** Not retried: another attempt would take as long. */
export class TimedOutError extends UnrecoverableError {
  constructor(readonly timeoutMs: number) {
    super(`no progress for ${timeoutMs} ms`);
  }
}

export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}

/** This process shuts down; another takes the job. */
export class JobReleasedError extends Error {
  override readonly name = 'JobReleasedError';
}
