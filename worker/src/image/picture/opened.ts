import type { Sharp } from 'sharp';
import type { Exif } from '../metadata/exif.js';

export interface OpenedImage {
  readonly image: Sharp;
  readonly icc: Buffer | null;
  readonly exif: Exif | null;
  /** Transparent pixels may have a white matte. */
  readonly isMattedWithWhite?: boolean;
  /** The RGB channels are L*a*b*, see `labToSrgb`. */
  readonly isLab?: boolean;
  /** One channel of linear light, 0..1, which libvips would read as codes 0 to 255. */
  readonly isGrayFloat?: boolean;
  /** Three channels of 0..1 in the colors of their profile, which libvips would read as codes 0 to 255. */
  readonly isProfiledFloat?: boolean;
}
