import { inMilliseconds } from '@clearframe/contract';
import type { FormattedDate } from '../../../i18n/formatted-date';

/** Closer than this, the time of day matters too. */
const WITH_TIME_MS = inMilliseconds.days(2);

/**
 * The day on which a picture's media are deleted, as 'Dec 22'; with the time within two days, with the year where that
 * is another one. In UTC, as all dates of the pages: server and browser have to write the same.
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
