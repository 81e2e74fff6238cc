import { DISPLAY_MAX_SIDE, type RenditionOrder, THUMBNAIL_MAX_SIDE } from '@clearframe/contract';
import { attachToJpeg } from '../metadata/jpeg.js';
import { attachToWebp } from '../metadata/webp.js';
import { LIBVIPS_TIMEOUT_SECONDS } from '../picture/libvips.js';
import type { Picture } from '../picture/picture.js';
import { canvasOf, type EncodedImage } from './encode.js';
import { fitWithin, watermarked } from './rendition.js';
import { verifyEncoded } from './verify.js';
import type { Region } from './watermark.js';

/** Quality of JPEG and WebP. A portrait of 2048 x 1536 pixels takes 300 kB at 88 and 360 kB at 92. */
const QUALITY = { display: 88, thumbnail: 80 } as const;
/** Half the time of the default 4, for 4 % more bytes. */
const WEBP_EFFORT = 2;

export interface EncodedDisplay {
  readonly display: EncodedImage;
  readonly thumbnail: EncodedImage;
}

/**
 * The files that pages show: JPEG, or WebP where there is transparency. Of the metadata only the profile is kept.
 * @param faces in fractions of the picture; the watermark keeps off them
 */
export async function encodeDisplay(
  picture: Picture,
  { watermark, maxSide }: Pick<RenditionOrder, 'watermark' | 'maxSide'>,
  faces: readonly Region[] = [],
): Promise<EncodedDisplay> {
  const large = await fitWithin(picture, Math.min(maxSide ?? DISPLAY_MAX_SIDE, DISPLAY_MAX_SIDE));
  const small = await fitWithin(large, THUMBNAIL_MAX_SIDE);
  const [display, thumbnail] = await Promise.all([
    encode(large, QUALITY.display, watermark ? faces : null),
    encode(small, QUALITY.thumbnail, watermark ? faces : null),
  ]);
  return { display, thumbnail };
}

/** @param clear regions without watermark; null: no watermark at all */
async function encode(picture: Picture, quality: number, clear: readonly Region[] | null): Promise<EncodedImage> {
  const { image, width, height, hasAlpha } = clear ? await watermarked(picture, clear) : canvasOf(picture);
  const flat = image.toColourspace('srgb').timeout({ seconds: LIBVIPS_TIMEOUT_SECONDS });
  const encoded = await (hasAlpha
    ? flat.webp({ quality, effort: WEBP_EFFORT })
    : flat.jpeg({ quality, progressive: true })
  ).toBuffer();
  const { icc } = picture.metadata;
  const bytes = hasAlpha
    ? attachToWebp(encoded, icc)
    : attachToJpeg(encoded, { icc, exif: null, xmp: null }, { width, height });
  const contentType = hasAlpha ? 'image/webp' : 'image/jpeg';
  await verifyEncoded(bytes, contentType, { width, height });
  return { bytes, contentType, width, height };
}
