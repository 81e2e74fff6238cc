import sharp, { type Sharp } from 'sharp';
import { InvalidImageError } from '../errors.js';
import { type OpenedImage, type Rgba, usableRgbProfile } from './format.js';

/** Decodes once, however often the picture is opened. */
function opening(decode: () => Promise<Rgba>): () => Promise<Rgba> {
  let decoding: Promise<Rgba> | undefined;
  return () => {
    decoding ??= decode().catch((cause) => {
      throw new InvalidImageError('uploads.undecodable', { cause });
    });
    return decoding;
  };
}

const imageOf = ({ width, height, samples }: Rgba): Sharp => sharp(samples, { raw: { width, height, channels: 4 } });

/** @returns what throws InvalidImageError for a damaged picture */
export function openingHevc(path: string): () => Promise<Sharp> {
  const decoded = opening(async () => (await import('./hevc.js')).decodeHevc(path));
  return async () => imageOf(await decoded());
}

/**
 * What neither libvips nor libheif reads: by ImageMagick in WebAssembly, in 8 bits, upright, in the file's own RGB; other colors become sRGB.
 * The layers of a Photoshop document are flattened. The caller has checked the size in pixels.
 * @param file path or bytes
 * @returns what throws InvalidImageError for a picture that is damaged, or of a kind that ImageMagick does not read either
 */
export function openingByMagick(
  file: string | Uint8Array,
  format: 'JPEG' | 'TIFF' | 'PSD',
): () => Promise<OpenedImage> {
  const decoded = opening(async () => (await import('./magick.js')).decodeByMagick(file, format));
  return async () => {
    const { icc, ...rgba } = await decoded();
    return { image: imageOf(rgba), icc: usableRgbProfile(icc && Buffer.from(icc)), exif: null };
  };
}
