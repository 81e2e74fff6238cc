import type { DownloadSpec } from '@clearframe/contract';
import sharp, { type OverlayOptions } from 'sharp';
import { type Canvas, canvasOf, type EncodedFile, type EncodedImage, encodeImage, encodeToFile } from './encode.js';
import type { FileMetadata } from './file-metadata.js';
import { interleave, isDeep, type Picture, readSamples, splitAlpha } from './picture.js';
import { type ClearEllipse, clearEllipses, markPixels, type Region, watermarkTile } from './watermark.js';

export async function encodeRendition(
  picture: Picture,
  order: DownloadSpec,
  metadata: FileMetadata,
): Promise<EncodedImage> {
  const sized = order.maxSide === null ? picture : await fitWithin(picture, order.maxSide);
  return encodeImage(order.watermark ? await watermarked(sized) : canvasOf(sized), order, metadata);
}

/** @param clear regions without watermark, in fractions of the picture */
export async function watermarked(picture: Picture, clear: readonly Region[] = []): Promise<Canvas> {
  const { width, height, rgb, alpha } = picture;
  const tile = await watermarkTile(width, height);
  const ellipses = clearEllipses(width, height, clear);
  if (rgb instanceof Uint8Array && !alpha) {
    return canvasOf({ ...picture, rgb: await markPixels({ width, height, rgb }, tile, ellipses) });
  }
  const clean = await Promise.all(ellipses.map((ellipse) => cleanPart(picture, ellipse)));
  return composited(canvasOf(picture), tile, clean);
}

/** As {@link encodeRendition} in full size, of a picture that isn't in memory, to a file. */
export async function encodeFull(
  canvas: Canvas,
  order: DownloadSpec,
  metadata: FileMetadata,
  path: string,
): Promise<EncodedFile> {
  const { width, height } = canvas;
  const marked = order.watermark ? composited(canvas, await watermarkTile(width, height), []) : canvas;
  return encodeToFile(marked, order, metadata, path);
}

function composited(canvas: Canvas, tile: Buffer, clean: readonly OverlayOptions[]): Canvas {
  // libvips composites in 8 bits.
  const image = canvas.image.toColourspace('srgb').composite([{ input: tile, tile: true }, ...clean]);
  return { ...canvas, image: canvas.hasAlpha ? image : image.removeAlpha(), samples: null };
}

/** Covers the mark again: a mark with holes of the whole picture's size takes eight times as long. */
async function cleanPart(picture: Picture, { mask, at }: ClearEllipse): Promise<OverlayOptions> {
  const { width, height } = at;
  // Two images: sharp composites before it extracts.
  const pixels = await canvasOf(picture).image.extract(at).toColourspace('srgb').ensureAlpha().raw().toBuffer();
  const raw = { width, height, channels: 4 } as const;
  const input = await sharp(pixels, { raw })
    .composite([{ input: mask, blend: 'dest-in' }])
    .raw()
    .toBuffer();
  return { input, raw, left: at.left, top: at.top };
}

export async function fitWithin(picture: Picture, maxSide: number): Promise<Picture> {
  if (Math.max(picture.width, picture.height) <= maxSide) return picture;
  const { samples, channels } = interleave(picture);
  const image = sharp(samples, { raw: { width: picture.width, height: picture.height, channels } });
  const resized = image.resize({ width: maxSide, height: maxSide, fit: 'inside' });
  const { samples: fitted, width, height, ...read } = await readSamples(resized, isDeep(samples));
  return { ...picture, width, height, ...splitAlpha(fitted, read.channels) };
}
