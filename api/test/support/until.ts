import { setTimeout as delay } from 'node:timers/promises';

const DEADLINE_MS = 50_000;
/** Each look costs a request or a query, taken from the work that is waited for. */
const FIRST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 150;
const GROWTH = 1.4;

/** Waits for a condition: returns the first truthy value it gives, or fails with the last one when time is up. */
export async function until<Value>(
  condition: () => Promise<Value> | Value,
  what = 'the condition',
): Promise<NonNullable<Value>> {
  const end = Date.now() + DEADLINE_MS;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * GROWTH, LONGEST_WAIT_MS)) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}; the last answer was ${JSON.stringify(value)}`);
    await delay(waitMs);
  }
}
