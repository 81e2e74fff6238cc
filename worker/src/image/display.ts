import { DISPLAY_MAX_SIDE, type DownloadSpec, MEDIUM_MAX_SIDE, THUMBNAIL_MAX_SIDE } from '@clearframe/contract';
import { attachToJpeg, attachToWebp } from './attach-metadata.js';
import { canvasOf, type EncodedImage, verifyEncoded } from './encode.js';
import { LIBVIPS_TIMEOUT_SECONDS } from './libvips.js';
import type { Picture } from './picture.js';
import { fitWithin, watermarked } from './rendition.js';
import type { Region } from './watermark.js';

/**
 * A portrait of 2048 x 1536 pixels takes 300 kB as JPEG at 88 and 360 kB at 92; one of 1024 x 1024 takes 192 kB, and 97 kB
 * as WebP at 80.
 */
const QUALITY = { display: 88, medium: 80, thumbnail: 80 } as const;
/** Half the time of the default 4, for 4 % more bytes. */
const WEBP_EFFORT = 2;

export interface EncodedDisplay {
  readonly display: EncodedImage;
  /** WebP, for small screens. */
  readonly medium: EncodedImage;
  readonly thumbnail: EncodedImage;
}

/**
 * The files that pages show: JPEG, or WebP where there is transparency. Only the profile of the metadata is kept.
 * @param faces in fractions of the picture; which the watermark leaves clear
 */
export async function encodeDisplay(
  picture: Picture,
  { watermark, maxSide }: Pick<DownloadSpec, 'watermark' | 'maxSide'>,
  faces: readonly Region[] = [],
): Promise<EncodedDisplay> {
  const large = await fitWithin(picture, Math.min(maxSide ?? DISPLAY_MAX_SIDE, DISPLAY_MAX_SIDE));
  const middle = await fitWithin(large, MEDIUM_MAX_SIDE);
  const small = await fitWithin(middle, THUMBNAIL_MAX_SIDE);
  const clear = watermark ? faces : null;
  const [display, medium, thumbnail] = await Promise.all([
    encode(large, QUALITY.display, clear),
    encode(middle, QUALITY.medium, clear, 'webp'),
    encode(small, QUALITY.thumbnail, clear),
  ]);
  return { display, medium, thumbnail };
}

/**
 * @param clear regions without watermark; null: no watermark at all
 * @param opaque format of pictures without transparency
 */
async function encode(
  picture: Picture,
  quality: number,
  clear: readonly Region[] | null,
  opaque: 'jpeg' | 'webp' = 'jpeg',
): Promise<EncodedImage> {
  const { image, width, height, hasAlpha } = clear ? await watermarked(picture, clear) : canvasOf(picture);
  const flat = image.toColourspace('srgb').timeout({ seconds: LIBVIPS_TIMEOUT_SECONDS });
  const isWebp = hasAlpha || opaque === 'webp';
  const encoded = await (isWebp
    ? flat.webp({ quality, effort: WEBP_EFFORT })
    : flat.jpeg({ quality, progressive: true })
  ).toBuffer();
  const { icc } = picture.metadata;
  const bytes = isWebp
    ? attachToWebp(encoded, icc, { width, height })
    : attachToJpeg(encoded, { icc, exif: null, xmp: null }, { width, height });
  const contentType = isWebp ? 'image/webp' : 'image/jpeg';
  await verifyEncoded(bytes, contentType, { width, height });
  return { bytes, contentType, width, height };
}
