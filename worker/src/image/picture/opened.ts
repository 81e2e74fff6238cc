import type { Sharp } from 'sharp';
import type { Exif } from '../metadata/exif.js';

/** A file opened with libvips, and its metadata. */
export interface OpenedImage {
  readonly image: Sharp;
  readonly icc: Buffer | null;
  readonly exif: Exif | null;
  /** Colours may have a white matte where they are transparent. */
  readonly isMattedWithWhite?: boolean;
  /** Channels declared as RGB are L*a*b*, see `labToSrgb`. */
  readonly isLab?: boolean;
  /** One channel of linear light, 0..1, which libvips would read as codes from 0 to 255. */
  readonly isGrayFloat?: boolean;
}
