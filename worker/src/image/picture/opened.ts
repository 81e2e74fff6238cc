import type { Sharp } from 'sharp';
import type { Exif } from '../metadata/exif.js';

/** A file as libvips can read it, and the blocks that came with it. */
export interface OpenedImage {
  readonly image: Sharp;
  readonly icc: Buffer | null;
  readonly exif: Exif | null;
  /** The colours may have been mixed with white where they are transparent. */
  readonly isMattedWithWhite?: boolean;
  /** What looks like RGB is L*a*b*, see `labToSrgb`. */
  readonly isLab?: boolean;
  /** One channel of linear light, 0..1, which libvips would take for codes from 0 to 255. */
  readonly isGrayFloat?: boolean;
}
