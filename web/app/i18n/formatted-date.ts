import { dateFormat } from '@clearframe/contract/dates';

/** A point in time with its text in the visitor's language. */
export interface FormattedDate {
  /** ISO 8601. */
  readonly iso: string;
  readonly text: string;
}

export type FormatDate = (iso: string) => FormattedDate;

/** @param language BCP 47 */
export function dateFormatterFor(language: string): FormatDate {
  const format = dateFormat(language);
  return (iso) => ({ iso, text: format(new Date(iso)) });
}
