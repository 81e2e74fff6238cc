import { UnrecoverableError } from 'bullmq';

/** The attempt used up its time. Another would do the same while others wait, so there is none. */
export class TimedOutError extends UnrecoverableError {
  constructor(readonly timeoutMs: number) {
    super(`not finished after ${timeoutMs} ms`);
  }
}

/** The user does not want the result any more. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}

/** This process is going away; somebody else will do the job. */
export class HandedBackError extends Error {
  override readonly name = 'HandedBackError';
}
