import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../../../http/api.server';

const TRIES = 8;
const PAUSE_MS = 500;

/**
 * Retries while an idempotent call with the same key is running, as after a repeated form.
 * @throws ApiError
 */
export async function retryWhileInProgress<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      const isRunning = error instanceof ApiError && error.code === 'idempotency.in_progress';
      if (!isRunning || tried === TRIES) throw error;
      await pause(PAUSE_MS);
    }
  }
}
