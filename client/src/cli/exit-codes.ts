import { ClearframeError } from '../errors.ts';

/** What scripts can rely on; the help of the command line lists them. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  keyRefused: 3,
  limit: 4,
  unreachable: 5,
  interrupted: 130,
} as const;

/** A mistake in the call: shown without a stack, with the way to the help. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const LIMIT = /^(exports\.insufficient|request\.rate_limited)$|not_in_plan$|limit_reached$/;
const WRONG_CALL = /^(request|outputs|pipeline)\./;

/** `failed` concerns one picture; with the others, the next pictures would fail as well. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (!(error instanceof ClearframeError)) return EXIT.failed;
  const { code, status } = error;
  if (status === 401 || (code.startsWith('plugin_keys.') && !LIMIT.test(code))) return EXIT.keyRefused;
  if (status === 402 || status === 429 || LIMIT.test(code)) return EXIT.limit;
  if (code === 'connection.failed' || (status !== null && status >= 502)) return EXIT.unreachable;
  // Without a status it is the reason of a task.
  return status !== null && WRONG_CALL.test(code) ? EXIT.usage : EXIT.failed;
}
