import type { Recipe } from '@clearframe/contract';
import { type Exif, withoutLocation } from './exif.js';
import { xmpOf } from './xmp.js';

/** Metadata of a decoded picture. */
export interface PictureMetadata {
  /** ICC profile of the samples; null means sRGB. */
  readonly icc: Buffer | null;
  readonly exif: Exif | null;
}

/** What is written into a file beside its pixels. */
export interface FileMetadata {
  readonly icc: Buffer | null;
  readonly exif: Exif | null;
  readonly xmp: Buffer | null;
}

/** What of a picture's own metadata a file made of it carries, and what made it. The place it was taken at only if asked for. */
export function fileMetadataOf(
  { icc, exif }: PictureMetadata,
  { recipe, keepLocation }: { readonly recipe: Recipe | null; readonly keepLocation: boolean },
): FileMetadata {
  return { icc, exif: exif && !keepLocation ? withoutLocation(exif) : exif, xmp: recipe && xmpOf(recipe) };
}
