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
  /** Channels before the transparency: gray, or red, green and blue. */
  readonly colors: 1 | 3;
  /** Linear light; else codes. Both 0..1. */
  readonly isLinear: boolean;
  /** The next channel is transparency, also 0..1. */
  readonly hasAlpha: boolean;
}
