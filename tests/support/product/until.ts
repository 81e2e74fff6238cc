import { setTimeout as pause } from 'node:timers/promises';

const FIRST_PAUSE_MS = 25;
/** Polling a task every 50 ms takes an eighth of a core, in api, web and the stores. */
const LONGEST_PAUSE_MS = 250;

/**
 * Polls until `ask` returns a truthy value.
 * @throws Error at the deadline
 */
export async function until<Value>(
  what: string,
  ask: () => Promise<Value | null | undefined | false>,
  { deadlineMs = 200_000, longestPauseMs = LONGEST_PAUSE_MS } = {},
): Promise<Value> {
  const end = Date.now() + deadlineMs;
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`timed out waiting until ${what}`);
    await pause(pauseMs);
    pauseMs = Math.min(pauseMs * 1.3, longestPauseMs);
  }
}
