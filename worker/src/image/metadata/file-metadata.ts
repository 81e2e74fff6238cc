import type { Recipe } from '@clearframe/contract';
import { type Exif, withoutLocation } from './exif.js';
import { xmpOf } from './xmp.js';

/** Metadata of a decoded picture. */
export interface PictureMetadata {
  /** ICC profile of the samples; null means sRGB. */
  readonly icc: Buffer | null;
  readonly exif: Exif | null;
}

/** Metadata of an encoded file. */
export interface FileMetadata {
  readonly icc: Buffer | null;
  readonly exif: Exif | null;
  readonly xmp: Buffer | null;
}

/** Metadata for a result: the picture's own, with the location at request only, and the recipe. */
export function fileMetadataOf(
  { icc, exif }: PictureMetadata,
  { recipe, keepLocation }: { readonly recipe: Recipe | null; readonly keepLocation: boolean },
): FileMetadata {
  return { icc, exif: exif && !keepLocation ? withoutLocation(exif) : exif, xmp: recipe && xmpOf(recipe) };
}
