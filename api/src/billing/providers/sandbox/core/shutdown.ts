import { setTimeout as delay } from 'node:timers/promises';
import { inMilliseconds } from '@clearframe/contract';

/** The whole product has eight seconds to shut down. */
const TIMEOUT_MS = inMilliseconds.seconds(1.5);

/** Waits for running work, but not for an unresponsive database: unfinished work is in the ledger. */
export async function waitWithTimeout(running: Promise<unknown>): Promise<void> {
  const timeout = new AbortController();
  const timedOut = delay(TIMEOUT_MS, undefined, { signal: timeout.signal }).catch(() => undefined);
  await Promise.race([running.catch(() => undefined), timedOut]);
  timeout.abort();
}
