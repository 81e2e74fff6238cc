import { join } from 'node:path';
import { type DownloadSpec, isLayered, type LayeredContentType } from '@clearframe/contract';
import sharp, { type OverlayOptions } from 'sharp';
import {
  type Canvas,
  canvasOf,
  canvasOfFile,
  type EncodedFile,
  type EncodedImage,
  type EncodeOrder,
  encodeImage,
  encodeToFile,
  type StripContext,
} from './encode.js';
import type { FileMetadata } from './file-metadata.js';
import { interleave, isDeep, type Picture, readSamples, splitAlpha, to8Bits } from './picture.js';
import { PixelFile } from './pixel-file.js';
import { rowsPerStripOf } from './strips.js';
import {
  type ClearEllipse,
  clearEllipses,
  markPixels,
  type Region,
  rowMarker,
  type WatermarkTile,
  watermarkTile,
} from './watermark.js';

export type FlatSpec = DownloadSpec & EncodeOrder;
type LayeredSpec = DownloadSpec & { readonly contentType: LayeredContentType };
export type RenditionSpec = FlatSpec | LayeredSpec;
type View = Pick<DownloadSpec, 'watermark' | 'maxSide'>;

export const isFlat = (order: RenditionSpec): order is FlatSpec => !isLayered(order.contentType);

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
  const tile = watermarkTile(width, height);
  const ellipses = clearEllipses(width, height, clear);
  if (rgb instanceof Uint8Array && !alpha) {
    return canvasOf({ ...picture, rgb: await markPixels({ width, height, rgb }, tile, ellipses) });
  }
  const clean = await Promise.all(ellipses.map((ellipse) => cleanPart(picture, ellipse)));
  return composited(canvasOf(picture), tile, clean);
}

/**
 * As {@link encodeRendition} in full size, of a picture that isn't in memory, to a file.
 * @param folder for files
 */
export async function encodeFull(
  pixels: PixelFile,
  order: FlatSpec,
  metadata: FileMetadata,
  folder: string,
  context: StripContext,
): Promise<EncodedFile> {
  return encodeToFile(await fullViewOf(pixels, order, folder), order, metadata, join(folder, 'rendition'), context);
}

/** As {@link viewOf} in full size. */
export async function fullViewOf(pixels: PixelFile, { watermark }: View, folder: string): Promise<PixelFile> {
  if (!watermark) return pixels;
  const { width, height, channels } = pixels.layout;
  const path = join(folder, 'marked');
  const tile = watermarkTile(width, height);
  const layout = { width, height, channels, isDeep: false };
  if (channels === 3) return PixelFile.write(path, layout, markedStrips(pixels, tile));
  return PixelFile.save((await composited(canvasOfFile(pixels), tile, [])).image, path, layout);
}

async function* markedStrips(pixels: PixelFile, tile: WatermarkTile): AsyncGenerator<Uint8Array> {
  const { layout } = pixels;
  const mark = rowMarker(tile, layout);
  const rows = rowsPerStripOf(layout);
  for (let first = 0; first < layout.height; first += rows) {
    const strip = to8Bits(await pixels.rows(first, Math.min(rows, layout.height - first)));
    await mark(strip, first);
    yield strip;
  }
}

async function composited(canvas: Canvas, tile: WatermarkTile, clean: readonly OverlayOptions[]): Promise<Canvas> {
  const input = await tile.lines(0, tile.height).png({ compressionLevel: 1 }).toBuffer();
  // libvips composites in 8 bits.
  const image = canvas.image.toColourspace('srgb').composite([{ input, tile: true }, ...clean]);
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
