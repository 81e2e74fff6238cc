/** A point in time with its text in the visitor's language. */
export interface FormattedDate {
  /** ISO 8601. */
  readonly iso: string;
  readonly text: string;
}
