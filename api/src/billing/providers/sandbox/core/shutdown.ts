import { setTimeout as delay } from 'node:timers/promises';
import { inMilliseconds } from '@clearframe/contract';

/** The whole product has eight seconds to shut down. */
const TIMEOUT_MS = inMilliseconds.seconds(1.5);

/** Waits for running work, but not for a database that doesn't answer: unfinished work is in the ledger. */
export async function waitBriefly(running: Promise<unknown>): Promise<void> {
  const timeout = new AbortController();
  const giveUp = delay(TIMEOUT_MS, undefined, { signal: timeout.signal }).catch(() => undefined);
  await Promise.race([running.catch(() => undefined), giveUp]);
  timeout.abort();
}
