import { setTimeout as delay } from 'node:timers/promises';

const DEADLINE_MS = 50_000;
const EVERY_MS = 15;

/** Waits for a condition: returns the first truthy value it gives, or fails with the last one when time is up. */
export async function until<Value>(
  condition: () => Promise<Value> | Value,
  what = 'the condition',
): Promise<NonNullable<Value>> {
  const end = Date.now() + DEADLINE_MS;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}; the last answer was ${JSON.stringify(value)}`);
    await delay(EVERY_MS);
  }
}
