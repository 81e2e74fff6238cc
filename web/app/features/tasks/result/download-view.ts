import type { OutputContentType } from '@clearframe/contract';

/** Another format of a result; a locked one links to the plans. */
export interface FormatOffer {
  readonly contentType: OutputContentType;
  readonly name: string;
  readonly isLocked: boolean;
}

export interface DownloadView {
  /**
   * Main button. `file` downloads the displayed file for free; `export` renders the clean file in full size, which uses
   * one download the first time.
   */
  readonly primary: 'file' | 'export';
  /** Remaining downloads; null when not displayed. */
  readonly left: number | null;
  /** Price of the file without watermark; null when it is owned, or downloads are left. */
  readonly offer: { readonly priceId: string; readonly price: string } | null;
  /** Whether a higher plan exists. */
  readonly hasPlansAbove: boolean;
  readonly formats: readonly FormatOffer[];
}
