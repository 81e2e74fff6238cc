import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LayeredContentType } from '@clearframe/contract';
import type { Canvas, EncodedFile } from '../image/encode.js';
import type { FileMetadata } from '../image/file-metadata.js';
import { writeLayeredTiff } from '../image/layered-tiff.js';
import { LIBVIPS_TIMEOUT_SECONDS } from '../image/libvips.js';
import { writePhotoshop } from '../image/photoshop.js';
import type { LayeredRows } from '../image/photoshop-layers.js';
import { channelsOf, to8Bits } from '../image/picture.js';
import { PixelFile } from '../image/pixel-file.js';
import { readStrip, STRIP_PIXELS } from './full-size.js';

export interface LayeredOrder {
  readonly contentType: LayeredContentType;
  /** What any other file of the same rights would show. */
  readonly view: Canvas | PixelFile;
  /** Writes the original to a file, without transparency, at most as large as `maxSide`. */
  readonly writeOriginal: (path: string, maxSide: number) => Promise<PixelFile>;
  readonly metadata: FileMetadata;
}

const WRITERS = {
  'image/vnd.adobe.photoshop': writePhotoshop,
  'image/tiff;application=photoshop': writeLayeredTiff,
} as const satisfies Record<LayeredContentType, typeof writePhotoshop>;

/** A result as a layer over its original, by way of files: pictures of any size take the same memory. */
export async function encodeLayers(
  { contentType, view, writeOriginal, metadata }: LayeredOrder,
  folder: string,
  signal: AbortSignal,
): Promise<EncodedFile> {
  const restored = view instanceof PixelFile ? view : await saved(view, join(folder, 'restored'));
  const { width, height, channels } = restored.layout;
  const hasAlpha = channels === 4;
  const before = await writeOriginal(join(folder, 'original'), Math.max(width, height));
  const strips = () => layeredRows(before, restored, signal);
  const file = join(folder, 'layers');
  const sizeBytes = await WRITERS[contentType](file, { width, height, hasAlpha, strips }, metadata);
  await rm(before.path);
  return { path: file, head: Buffer.alloc(0), skipped: 0, sizeBytes, contentType, width, height };
}

const saved = ({ image, hasAlpha }: Canvas, path: string): Promise<PixelFile> =>
  PixelFile.save(image.toColourspace('srgb').timeout({ seconds: LIBVIPS_TIMEOUT_SECONDS }), path, {
    channels: hasAlpha ? 4 : 3,
    isDeep: false,
  });

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
