import { setTimeout as delay } from 'node:timers/promises';

const DEADLINE_MS = 100_000;
/** Polling costs requests or queries, which slow down the work that is waited for. */
const FIRST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 150;
const GROWTH = 1.4;

/** Returns the first truthy value of a condition, or fails on timeout. */
export async function until<Value>(
  condition: () => Promise<Value> | Value,
  what = 'the condition',
  deadlineMs = DEADLINE_MS,
): Promise<NonNullable<Value>> {
  const end = Date.now() + deadlineMs;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * GROWTH, LONGEST_WAIT_MS)) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`timed out waiting for ${what}; the last value was ${JSON.stringify(value)}`);
    await delay(waitMs);
  }
}
