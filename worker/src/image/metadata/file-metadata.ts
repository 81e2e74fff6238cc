import type { Recipe } from '@clearframe/contract';
import type { PictureMetadata } from '../picture/picture.js';
import { type Exif, withoutLocation } from './exif.js';
import { xmpOf } from './xmp.js';

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
