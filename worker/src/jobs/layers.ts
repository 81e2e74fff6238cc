import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LAYERED_CONTENT_TYPE } from '@clearframe/contract';
import type { Canvas, EncodedFile } from '../image/encode.js';
import type { FileMetadata } from '../image/file-metadata.js';
import { decodeToFile, type ProbedImage } from '../image/formats/decode.js';
import { LIBVIPS_TIMEOUT_SECONDS } from '../image/libvips.js';
import { type LayeredRows, writePhotoshop } from '../image/photoshop.js';
import { channelsOf, isDeep, type Samples } from '../image/picture.js';
import { PixelFile, VIPS_HEADER_BYTES } from '../image/pixel-file.js';
import { readStrip, STRIP_PIXELS } from './full-size.js';

interface LayerSources {
  /** What any other file of the same rights would show. */
  readonly view: Canvas;
  readonly original: ProbedImage;
  readonly metadata: FileMetadata;
}

/** A Photoshop document of a result over its original, by way of files: pictures of any size take the same memory. */
export async function encodeLayers(
  { view, original, metadata }: LayerSources,
  folder: string,
  signal: AbortSignal,
): Promise<EncodedFile> {
  const { width, height, hasAlpha } = view;
  const path = join(folder, 'restored.v');
  await view.image.toColourspace('srgb').timeout({ seconds: LIBVIPS_TIMEOUT_SECONDS }).toFile(path);
  const restored = new PixelFile(path, { width, height, channels: hasAlpha ? 4 : 3, isDeep: false }, VIPS_HEADER_BYTES);
  const maxSide = Math.max(width, height);
  const before = await decodeToFile(original, folder, { maxSide, hasAlpha: false, signal });
  const strips = () => layeredRows(before, restored, signal);
  const file = join(folder, 'layers.psd');
  const sizeBytes = await writePhotoshop(file, { width, height, hasAlpha, strips }, metadata);
  await Promise.all([rm(path), rm(before.path)]);
  const contentType = LAYERED_CONTENT_TYPE;
  return { path: file, head: Buffer.alloc(0), skipped: 0, sizeBytes, contentType, width, height };
}

async function* layeredRows(
  original: PixelFile,
  restored: PixelFile,
  signal: AbortSignal,
): AsyncGenerator<LayeredRows> {
  const { width, height, channels } = restored.layout;
  const rows = Math.max(2 * SOFT_PIXELS, Math.floor(STRIP_PIXELS / width));
  for (let first = 0; first < height; first += rows) {
    signal.throwIfAborted();
    const end = Math.min(height, first + rows);
    // The mask of a row depends on some rows around it.
    const [top, bottom] = [Math.max(0, first - SOFT_PIXELS), Math.min(height, end + SOFT_PIXELS)];
    const [before, samples] = await Promise.all([
      readStrip(original, restored.layout, top, bottom),
      restored.rows(top, bottom - top),
    ]);
    const own = to8Bits(before);
    const colors = to8Bits(channelsOf(samples, channels, 3));
    const within = (plane: Uint8Array, count: number) =>
      plane.subarray((first - top) * width * count, (end - top) * width * count);
    yield {
      original: within(own, 3),
      restored: within(colors, 3),
      alpha: channels === 4 ? within(to8Bits(channelsOf(samples, channels, 1, 3)), 1) : null,
      mask: within(differences(own, colors, width), 1),
    };
  }
}

/** As libvips reduces the depth of a result. */
const to8Bits = (samples: Samples): Uint8Array =>
  isDeep(samples) ? Uint8Array.from(samples, (value) => value >> 8) : (samples as Uint8Array);

/** The mask falls to black within so many pixels of what differs: one can paint on it without seams. */
const SOFT_PIXELS = 8;
const FALL = Math.ceil(255 / SOFT_PIXELS);

/** White where pixels differ at all, since any gray would show a mixture, and softer with the distance from there. */
function differences(one: Uint8Array, other: Uint8Array, width: number): Uint8Array {
  const mask = new Uint8Array(one.length / 3);
  for (let pixel = 0, at = 0; pixel < mask.length; pixel++, at += 3) {
    const isEqual = one[at] === other[at] && one[at + 1] === other[at + 1] && one[at + 2] === other[at + 2];
    mask[pixel] = isEqual ? 0 : 255;
  }
  for (let pixel = 0; pixel < mask.length; pixel++) {
    const column = pixel % width;
    soften(mask, pixel, column > 0 ? pixel - 1 : pixel);
    soften(mask, pixel, pixel - width);
  }
  for (let pixel = mask.length - 1; pixel >= 0; pixel--) {
    const column = pixel % width;
    soften(mask, pixel, column < width - 1 ? pixel + 1 : pixel);
    soften(mask, pixel, pixel + width);
  }
  return mask;
}

function soften(mask: Uint8Array, pixel: number, neighbor: number): void {
  const least = (mask[neighbor] ?? 0) - FALL;
  if (least > (mask[pixel] as number)) mask[pixel] = least;
}
