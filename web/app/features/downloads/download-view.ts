import { ALLOWANCES, LAYERED_CONTENT_TYPE, type OutputContentType, type Role } from '@clearframe/contract';

/** Formats of the download menu; values of the form's `format` field. */
export const DOWNLOAD_FORMATS = {
  jpeg90: { name: 'JPG 90', outputContentType: 'image/jpeg', jpegQuality: 90 },
  jpeg100: { name: 'JPG 100', outputContentType: 'image/jpeg', jpegQuality: 100 },
  png: { name: 'PNG', outputContentType: 'image/png' },
  tiff: { name: 'TIFF', outputContentType: 'image/tiff' },
  psd: { name: 'PSD', outputContentType: LAYERED_CONTENT_TYPE },
} as const satisfies Record<
  string,
  { readonly name: string; readonly outputContentType: OutputContentType; readonly jpegQuality?: 90 | 100 }
>;

export type DownloadFormat = keyof typeof DOWNLOAD_FORMATS;

const FORMATS = Object.keys(DOWNLOAD_FORMATS) as DownloadFormat[];

export const formatsIn = (role: Role): DownloadFormat[] =>
  FORMATS.filter((format) => ALLOWANCES[role].formats.includes(DOWNLOAD_FORMATS[format].outputContentType));

export const isDownloadFormat = (text: string | null): text is DownloadFormat =>
  text !== null && Object.hasOwn(DOWNLOAD_FORMATS, text);

export interface FormatOffer {
  readonly format: DownloadFormat;
  /** `file` is the file of the main button, `locked` links to the plans. */
  readonly kind: 'file' | 'export' | 'locked';
}

export interface DownloadView {
  /**
   * `file` downloads the task's file for free; `export` renders the clean file in full size, which uses one download
   * the first time; `preparing` waits for the file that was paid for.
   */
  readonly primary: 'file' | 'export' | 'preparing';
  /** Remaining downloads; null when not displayed. */
  readonly left: number | null;
  /** Price of the file without watermark; null when it is owned, downloads are left, or the picture is unchanged. */
  readonly offer: { readonly priceId: string; readonly price: string } | null;
  readonly isLimitReached: boolean;
  readonly hasPlansAbove: boolean;
  readonly formats: readonly FormatOffer[];
}
