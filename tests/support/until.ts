import { setTimeout as pause } from 'node:timers/promises';

/**
 * Asks again until there is an answer. What is waited for is a condition, never a time: the deadline only says when
 * to give up.
 */
export async function until<Value>(
  what: string,
  ask: () => Promise<Value | null | undefined | false>,
  deadlineMs = 110_000,
): Promise<Value> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`gave up waiting until ${what}`);
    await pause(50);
  }
}
