import { ALLOWANCES, LAYERED_TIFF, type OutputContentType, type Role } from '@clearframe/contract';

/** Formats of the download menu; values of the form's `format` field. */
export const DOWNLOAD_FORMATS = {
  jpeg90: { name: 'JPG 90', outputContentType: 'image/jpeg', jpegQuality: 90 },
  jpeg100: { name: 'JPG 100', outputContentType: 'image/jpeg', jpegQuality: 100 },
  png: { name: 'PNG', outputContentType: 'image/png' },
  tiff: { name: 'TIFF', outputContentType: 'image/tiff' },
  psd: { name: 'PSD', outputContentType: 'image/vnd.adobe.photoshop' },
  photoshopTiff: { name: 'Photoshop TIFF', outputContentType: LAYERED_TIFF },
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
  /** Of the file, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Estimated size of the file. */
  readonly bytes: number;
}

interface FullSize {
  readonly width: number;
  readonly height: number;
  /** As a PNG. */
  readonly sizeBytes: number;
}

/**
 * Bytes for one of the PNG, medians of 13 photos: JPEG 90 had 0.13 to 0.24, JPEG 100 0.36 to 0.97 and TIFF 1.03 to 1.42. A
 * document has three pictures, hardly compressed.
 */
const SHARES = { jpeg90: 0.16, jpeg100: 0.57, png: 1, tiff: 1.2 } as const;
const LAYERED_BYTES_PER_PIXEL = 9;
/** A PNG of more has 16 bits a sample, which a JPEG doesn't keep. */
const MOST_BYTES_PER_PIXEL = 2.6;

/** Estimated size of a file of a result. */
export function estimatedBytes(format: DownloadFormat, { width, height, sizeBytes }: FullSize): number {
  const pixels = width * height;
  if (format === 'psd' || format === 'photoshopTiff') return pixels * LAYERED_BYTES_PER_PIXEL;
  const isJpeg = DOWNLOAD_FORMATS[format].outputContentType === 'image/jpeg';
  return SHARES[format] * (isJpeg ? Math.min(sizeBytes, pixels * MOST_BYTES_PER_PIXEL) : sizeBytes);
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
