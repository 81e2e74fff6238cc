import type { Exif } from './exif.js';

/** What is written into a file beside its pixels. */
export interface FileMetadata {
  readonly icc: Buffer | null;
  readonly exif: Exif | null;
  readonly xmp: Buffer | null;
}
