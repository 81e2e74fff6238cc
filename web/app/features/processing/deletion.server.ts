import { type DeletionTime, formatDeletionTime } from '../../i18n/deletion-time';

interface Kept {
  readonly state: { readonly kind: string };
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** Undefined when nothing is kept. The original of a failed task is, for a retry. */
export const deletionOf = ({ state: { kind }, expiresAt }: Kept, language: string): DeletionTime | undefined =>
  kind === 'invalid' || kind === 'cancelled' ? undefined : formatDeletionTime(expiresAt, new Date(), language);
