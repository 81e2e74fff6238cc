import type { ImageContentType } from '@clearframe/contract';
import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';
import { InvalidImageError } from '../errors.js';
import { type Exif, parseExif } from '../exif.js';
import { READING } from '../libvips.js';

export interface ImageFile {
  readonly path: string;
  /** As its bytes say. */
  readonly contentType: ImageContentType;
  readonly sizeBytes: number;
}

/** What the header says, before any pixel is decoded. */
export interface ProbedFile {
  /** In pixels of the upright picture. */
  readonly width: number;
  readonly height: number;
  /** More than 8 bits a sample. */
  readonly isDeep: boolean;
  /** The header says that all data is inside the file. */
  readonly isWhole: boolean;
  /** May be called again. @throws InvalidImageError for a damaged picture */
  readonly open: () => Promise<OpenedImage>;
}

export interface ImageFormat {
  readonly accepts: readonly ImageContentType[];
  /** @throws InvalidImageError with the error code for users */
  readonly probe: (file: ImageFile) => Promise<ProbedFile>;
}

export interface OpenedImage {
  readonly image: Sharp;
  readonly icc: Buffer | null;
  readonly exif: Exif | null;
  /** Transparent pixels may have a white matte. */
  readonly isMattedWithWhite?: boolean;
  /** Colors are still multiplied by the transparency. */
  readonly isPremultiplied?: boolean;
  /** Gray with black at 16 and white at 235 of 255. */
  readonly isNarrowGray?: boolean;
  /** The RGB channels are L*a*b*, see `labToSrgb`. */
  readonly isLab?: boolean;
  /** Floats that libvips would read as codes 0 to 255. */
  readonly floats?: Floats;
  /** For a file that ends early: two ways to complete it. Where both decode alike, only the end marker was missing. */
  readonly completions?: () => Promise<readonly [Sharp, Sharp] | null>;
}

/** Decoded by a library other than libvips: upright, 8 bits. */
export interface Rgba {
  readonly width: number;
  readonly height: number;
  readonly samples: Uint8Array;
  readonly icc?: Uint8Array | undefined;
}

export interface Floats {
  /** Channels before the transparency: gray, or red, green and blue. */
  readonly colors: 1 | 3;
  /** Linear light; else codes. Both 0..1. */
  readonly isLinear: boolean;
  /** The next channel is transparency, also 0..1. */
  readonly hasAlpha: boolean;
}

/**
 * The header as libvips reads it.
 * @param format that it must detect
 * @throws InvalidImageError `uploads.undecodable`
 */
export async function readHeader(source: string | Buffer, format: string): Promise<Metadata> {
  // The caller checks the limit, to tell 'too many pixels' from 'damaged'.
  const header = await sharp(source, { ...READING, limitInputPixels: false })
    .metadata()
    .catch((cause) => {
      throw new InvalidImageError('uploads.undecodable', { cause });
    });
  if (header.format !== format) throw new InvalidImageError('uploads.undecodable');
  return header;
}

export const sizeOf = ({ autoOrient, depth }: Metadata) => ({
  width: autoOrient.width,
  height: autoOrient.height,
  isDeep: depth !== 'uchar',
});

/** A file that libvips reads as it is. */
export function probedOf(source: string | Buffer, header: Metadata, profile = header.icc): ProbedFile {
  const { icc, reading } = colorPolicy(header, profile);
  const exif = exifOf(header);
  return { ...sizeOf(header), isWhole: true, open: async () => ({ image: sharp(source, reading), icc, exif }) };
}

export const exifOf = ({ exif }: Metadata): Exif | null => (exif ? parseExif(exif) : null);

/** RGB keeps its profile for the result; everything else is converted to sRGB. */
export function colorPolicy(
  { space, icc: embedded }: Pick<Metadata, 'space' | 'icc'>,
  profile = embedded,
): { icc: Buffer | null; reading: SharpOptions } {
  // Floats without a profile are linear light.
  const isRgb = ['srgb', 'rgb', 'rgb16'].includes(space) || (space === 'scrgb' && embedded !== undefined);
  // An unusable profile would be tried, and turns floats black.
  return { icc: isRgb ? usableRgbProfile(profile) : null, reading: { ...READING, ignoreIcc: isRgb } };
}

/** Press profiles have about 3 MB; display and camera profiles less. */
const MAX_PROFILE_BYTES = 4_000_000;

/** The profile if it is valid for RGB samples, else null: another one would change the colors. */
export function usableRgbProfile(profile: Buffer | undefined): Buffer | null {
  if (!profile || profile.length < 132 || profile.length > MAX_PROFILE_BYTES) return null;
  // ICC.1:2022, 7.2: size at 0, color space at 16, 'acsp' at 36.
  const fits =
    profile.readUInt32BE(0) <= profile.length &&
    profile.toString('latin1', 16, 20) === 'RGB ' &&
    profile.toString('latin1', 36, 40) === 'acsp';
  return fits ? profile : null;
}
