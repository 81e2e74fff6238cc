/** A point in time with its text in the visitor's language. */
export interface FormattedDate {
  /** ISO 8601. */
  readonly iso: string;
  readonly text: string;
}

export type FormatDate = (iso: string) => FormattedDate;

/**
 * Formats days in UTC, so that server and browser format the same one.
 * @param language BCP 47
 */
export function dateFormatterFor(language: string): FormatDate {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  return (iso) => ({ iso, text: format.format(new Date(iso)) });
}
