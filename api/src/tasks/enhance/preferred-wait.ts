import { ENHANCE_MAX_WAIT_SECONDS } from '@clearframe/contract';

const WAIT = /^wait\s*=\s*"?(\d{1,6})"?$/i;

/**
 * Seconds of `wait` in a `Prefer` header (RFC 7240), at most {@link ENHANCE_MAX_WAIT_SECONDS}. Null without it: other
 * preferences, and invalid ones, are ignored. The first one counts.
 */
export function preferredWaitOf(header: string | string[] | undefined): number | null {
  for (const preference of [header ?? []].flat().join(',').split(',')) {
    const [name = ''] = preference.split(';');
    const [, seconds] = WAIT.exec(name.trim()) ?? [];
    if (seconds !== undefined) return Math.min(Number(seconds), ENHANCE_MAX_WAIT_SECONDS);
  }
  return null;
}
