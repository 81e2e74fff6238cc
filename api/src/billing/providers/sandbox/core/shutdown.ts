import { setTimeout as delay } from 'node:timers/promises';
import { inMilliseconds } from '@clearframe/contract';

/** The whole product has eight seconds to end. */
const PATIENCE_MS = inMilliseconds.seconds(1.5);

/** Waits for what has been begun, but not for a database that does not answer: whatever is left undone is in the books. */
export async function finishSoon(begun: Promise<unknown>): Promise<void> {
  const patience = new AbortController();
  const giveUp = delay(PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => undefined);
  await Promise.race([begun.catch(() => undefined), giveUp]);
  patience.abort();
}
