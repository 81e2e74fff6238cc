import type { RenditionOrder } from '@clearframe/contract';
import sharp from 'sharp';
import type { FileMetadata } from '../metadata/file-metadata.js';
import { LIBVIPS_TIMEOUT_SECONDS } from '../picture/libvips.js';
import { interleave, type Picture, type Samples, splitAlpha } from '../picture/picture.js';
import { type Canvas, canvasOf, type EncodedImage, encodeImage } from './encode.js';
import { type Region, watermarkAround, watermarkTile } from './watermark.js';

export async function encodeRendition(
  picture: Picture,
  order: RenditionOrder,
  metadata: FileMetadata,
): Promise<EncodedImage> {
  const sized = order.maxSide === null ? picture : await fitWithin(picture, order.maxSide);
  return encodeImage(order.watermark ? await watermarked(sized) : canvasOf(sized), order, metadata);
}

/** @param clear in fractions of the picture; the mark keeps off them */
export async function watermarked(picture: Picture, clear: readonly Region[] = []): Promise<Canvas> {
  const canvas = canvasOf(picture);
  const { width, height } = picture;
  const mark =
    clear.length === 0
      ? { input: await watermarkTile(width, height), tile: true }
      : { input: await watermarkAround(width, height, clear) };
  // libvips composites in 8 bits.
  const image = canvas.image.toColourspace('srgb').composite([mark]);
  return { ...canvas, image: canvas.hasAlpha ? image : image.removeAlpha(), isDeep: false };
}

export async function fitWithin(picture: Picture, maxSide: number): Promise<Picture> {
  if (Math.max(picture.width, picture.height) <= maxSide) return picture;
  const { samples, channels } = interleave(picture);
  const isDeep = samples instanceof Uint16Array;
  const { data, info } = await sharp(samples, { raw: { width: picture.width, height: picture.height, channels } })
    .resize({ width: maxSide, height: maxSide, fit: 'inside' })
    .toColourspace(isDeep ? 'rgb16' : 'srgb')
    .timeout({ seconds: LIBVIPS_TIMEOUT_SECONDS })
    .raw({ depth: isDeep ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const resized: Samples = isDeep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  return { ...picture, width: info.width, height: info.height, ...splitAlpha(resized, info.channels) };
}
