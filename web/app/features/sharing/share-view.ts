import type { FormattedDate } from '../../i18n/formatted-date';

export interface ShareLink {
  readonly sharingId: string;
  readonly url: string;
  readonly until: FormattedDate;
}

/** The address that changes links, for forms and scripts. */
export const SHARE_LINK_ADDRESS = '/share/link';
