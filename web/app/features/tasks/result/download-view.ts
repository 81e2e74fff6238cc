import type { OutputContentType } from '@clearframe/contract';

/** Another format of a result; a locked one leads to the plans. */
export interface FormatOffer {
  readonly contentType: OutputContentType;
  readonly name: string;
  readonly isLocked: boolean;
}

/** What the buttons below a result do. */
export interface DownloadView {
  /**
   * `file`: what is on the page is what one may have, and costs nothing. `export`: the clean file in full is made, and
   * one download is spent on it, once.
   */
  readonly primary: 'file' | 'export';
  /** Downloads that there are to spend; null where that is nothing to speak of. */
  readonly left: number | null;
  /** Buying the file without watermark; null when it is owned, or downloads are left. */
  readonly offer: { readonly priceId: string; readonly price: string } | null;
  /** Whether plans would give more than there is. */
  readonly hasPlansAbove: boolean;
  readonly formats: readonly FormatOffer[];
}
