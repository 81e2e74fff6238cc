import { dateFormat } from '@clearframe/contract/dates';
import { inMilliseconds } from '@clearframe/contract/units';
import type { FormattedDate } from './formatted-date';

/** Within this period dates are not precise enough. */
const SOON_MS = inMilliseconds.days(2);

export interface DeletionTime extends FormattedDate {
  /** `text` is a time from now: 'in 5 hours'. */
  readonly isRelative: boolean;
  /** BCP 47, to update the text. */
  readonly language: string;
}

/**
 * A day as 'Dec 22', with the year if it is not the current one and with the time if it is soon. In UTC, so that server
 * and browser render the same.
 * @param expiresAt ISO 8601
 * @param language BCP 47
 */
export function formatExpiryDate(expiresAt: string, now: Date, language: string): FormattedDate {
  const date = new Date(expiresAt);
  const isSoon = date.getTime() - now.getTime() < SOON_MS;
  const format = dateFormat(language, {
    month: 'short',
    day: 'numeric',
    ...(date.getUTCFullYear() === now.getUTCFullYear() ? {} : { year: 'numeric' }),
    ...(isSoon ? { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } : {}),
  });
  return { iso: expiresAt, text: format(date) };
}

/**
 * The day as 'Dec 22', or the remaining time as 'in 5 hours' if it is soon.
 * @param expiresAt ISO 8601
 * @param language BCP 47
 */
export function formatDeletionTime(expiresAt: string, now: Date, language: string): DeletionTime {
  const leftMs = new Date(expiresAt).getTime() - now.getTime();
  return leftMs < SOON_MS
    ? { iso: expiresAt, text: formatTimeLeft(leftMs, language), isRelative: true, language }
    : { ...formatExpiryDate(expiresAt, now, language), isRelative: false, language };
}

function formatTimeLeft(ms: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'always' });
  const hours = Math.floor(ms / inMilliseconds.hours(1));
  if (hours > 0) return format.format(hours, 'hour');
  return format.format(Math.max(1, Math.floor(ms / inMilliseconds.minutes(1))), 'minute');
}
