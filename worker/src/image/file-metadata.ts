import type { Recipe } from '@clearframe/contract';
import { type Exif, withoutLocation } from './exif.js';
import { xmpOf } from './xmp.js';

export interface PictureMetadata {
  /** Null: sRGB. */
  readonly icc: Buffer | null;
  readonly exif: Exif | null;
}

export interface FileMetadata {
  readonly icc: Buffer | null;
  readonly exif: Exif | null;
  readonly xmp: Buffer | null;
}

/** The picture's own metadata, with the location only on request, and the recipe. */
export function fileMetadataOf(
  { icc, exif }: PictureMetadata,
  { recipe, keepLocation }: { readonly recipe: Recipe | null; readonly keepLocation: boolean },
): FileMetadata {
  return { icc, exif: exif && !keepLocation ? withoutLocation(exif) : exif, xmp: recipe && xmpOf(recipe) };
}
