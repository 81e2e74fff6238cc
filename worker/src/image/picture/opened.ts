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
  /** Floats that libvips would read as codes 0 to 255. */
  readonly floats?: Floats;
}

export interface Floats {
  /** One channel of linear light, or three of codes in the colors of their profile, all 0..1. */
  readonly kind: 'gray' | 'codes';
  /** The next channel is transparency, also 0..1. */
  readonly hasAlpha: boolean;
}
