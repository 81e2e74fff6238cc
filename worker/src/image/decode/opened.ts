import type { Sharp } from 'sharp';
import type { Exif } from '../metadata/exif.js';

/** A file as libvips can read it, and the blocks that came with it. */
export interface OpenedImage {
  readonly image: Sharp;
  readonly icc: Buffer | null;
  readonly exif: Exif | null;
  /** The colours were mixed with white where they are transparent. */
  readonly isMattedWithWhite?: boolean;
}
