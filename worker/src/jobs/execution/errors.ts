import { UnrecoverableError } from 'bullmq';

/** The attempt exceeded its time limit. Not retried: another attempt would take as long. */
export class TimedOutError extends UnrecoverableError {
  constructor(readonly timeoutMs: number) {
    super(`not finished after ${timeoutMs} ms`);
  }
}

/** The user cancelled the run. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}

/** This process is shutting down; another one takes the job. */
export class HandedBackError extends Error {
  override readonly name = 'HandedBackError';
}
