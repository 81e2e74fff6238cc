import { inMilliseconds } from '@clearframe/contract';
import type { FormattedDate } from '../../../i18n/formatted-date';

/** Dates within this period include the time. */
const WITH_TIME_MS = inMilliseconds.days(2);

/**
 * The day on which a picture's media are deleted, as 'Dec 22', with the year if it is not the current one. In UTC, so
 * that server and browser render the same.
 * @param expiresAt ISO 8601
 * @param language BCP 47
 */
export function formatDeletionDate(expiresAt: string, now: Date, language: string): FormattedDate {
  const date = new Date(expiresAt);
  const isSoon = date.getTime() - now.getTime() < WITH_TIME_MS;
  const format = new Intl.DateTimeFormat(language, {
    timeZone: 'UTC',
    month: 'short',
    day: 'numeric',
    ...(date.getUTCFullYear() === now.getUTCFullYear() ? {} : { year: 'numeric' }),
    ...(isSoon ? { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } : {}),
  });
  return { iso: expiresAt, text: format.format(date) };
}
