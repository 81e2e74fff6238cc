import { type DownloadSpec, LAYERED_CONTENT_TYPE } from '@clearframe/contract';
import sharp, { type OverlayOptions } from 'sharp';
import {
  type Canvas,
  canvasOf,
  type EncodedFile,
  type EncodedImage,
  type EncodeOrder,
  encodeImage,
  encodeToFile,
} from './encode.js';
import type { FileMetadata } from './file-metadata.js';
import { interleave, isDeep, type Picture, readSamples, splitAlpha } from './picture.js';
import { type ClearEllipse, clearEllipses, markPixels, type Region, watermarkTile } from './watermark.js';

export type FlatSpec = DownloadSpec & EncodeOrder;
type View = Pick<DownloadSpec, 'watermark' | 'maxSide'>;

export const isFlat = (order: DownloadSpec): order is FlatSpec => order.contentType !== LAYERED_CONTENT_TYPE;

export async function encodeRendition(
  picture: Picture,
  order: FlatSpec,
  metadata: FileMetadata,
): Promise<EncodedImage> {
  return encodeImage(await viewOf(picture, order), order, metadata);
}

/** What a file shows: the picture in its size, with the watermark if it has one. */
export async function viewOf(picture: Picture, { watermark, maxSide }: View): Promise<Canvas> {
  const sized = maxSide === null ? picture : await fitWithin(picture, maxSide);
  return watermark ? watermarked(sized) : canvasOf(sized);
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
  order: FlatSpec,
  metadata: FileMetadata,
  path: string,
): Promise<EncodedFile> {
  return encodeToFile(await fullViewOf(canvas, order), order, metadata, path);
}

/** As {@link viewOf} in full size. */
export async function fullViewOf(canvas: Canvas, { watermark }: View): Promise<Canvas> {
  const { width, height } = canvas;
  return watermark ? composited(canvas, await watermarkTile(width, height), []) : canvas;
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
