import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from './api.server';

const MAX_ATTEMPTS = 8;
const RETRY_DELAY_MS = 500;

/**
 * Retries while an idempotent call with the same key is running, as after a repeated form.
 * @throws ApiError
 */
export async function retryWhileInProgress<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isRunning = error instanceof ApiError && error.code === 'idempotency.in_progress';
      if (!isRunning || attempt === MAX_ATTEMPTS) throw error;
      await pause(RETRY_DELAY_MS);
    }
  }
}
