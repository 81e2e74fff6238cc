import sharp from 'sharp';
import { bytesAt, heap, kernels, reserve, withKernels } from '../rasters/kernels.js';
import type { ClearEllipse } from './watermark.js';

/** Opaque RGB of 8 bits. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

const CHANNELS = 3;

/**
 * A copy with the tile repeated from the picture's center, and without it in the ellipses. libvips takes 250 ms of a
 * processor for 12 megapixels, this 30.
 */
export async function markPixels(
  { width, height, rgb }: Pixels,
  tile: Buffer,
  clear: readonly ClearEllipse[],
): Promise<Uint8Array> {
  const { data, info } = await sharp(tile).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const [left, top] = [offsetOf(width, info.width), offsetOf(height, info.height)];
  const marked = Uint8Array.from(rgb);
  const stride = width * CHANNELS;
  withKernels(() => {
    const [colors, opacities, pixels] = [reserve(stride), reserve(stride), reserve(stride)];
    for (let line = 0; line < info.height; line++) {
      const row = data.subarray(line * info.width * 4, (line + 1) * info.width * 4);
      repeat(row, left, bytesAt(colors, stride), bytesAt(opacities, stride));
      const first = (line - top + info.height) % info.height;
      for (let y = first; y < height; y += info.height) {
        heap.bytes.set(marked.subarray(y * stride, (y + 1) * stride), pixels);
        kernels.coverBytes(pixels, colors, opacities, stride);
        marked.set(bytesAt(pixels, stride), y * stride);
      }
    }
  });
  for (const ellipse of clear) await uncover(marked, { width, height, rgb }, ellipse);
  return marked;
}

/** Place of the picture's first pixel in the tile: an odd number of tiles is centered. */
function offsetOf(length: number, tile: number): number {
  const count = Math.ceil(length / tile) | 1;
  return Math.floor((count * tile - length + 1) / 2) % tile;
}

/** The tile's row from a pixel on, as colors and as the opacity of each sample. */
function repeat(row: Uint8Array, left: number, colors: Uint8Array, opacities: Uint8Array): void {
  const once = Math.min(colors.length, (row.length / 4) * CHANNELS);
  for (let to = 0, from = 4 * left; to < once; to += CHANNELS) {
    for (let channel = 0; channel < CHANNELS; channel++) {
      colors[to + channel] = row[from + channel] as number;
      opacities[to + channel] = row[from + CHANNELS] as number;
    }
    from += 4;
    if (from === row.length) from = 0;
  }
  for (let to = once; to < colors.length; to *= 2) {
    colors.copyWithin(to, 0, to);
    opacities.copyWithin(to, 0, to);
  }
}

async function uncover(marked: Uint8Array, { width, rgb }: Pixels, { mask, at }: ClearEllipse): Promise<void> {
  const opacity = await sharp(mask).ensureAlpha().extractChannel('alpha').raw().toBuffer();
  const stride = at.width * CHANNELS;
  withKernels(() => {
    const [own, colors, opacities] = [reserve(stride), reserve(stride), reserve(stride)];
    const line = bytesAt(opacities, stride);
    for (let y = 0; y < at.height; y++) {
      const start = ((at.top + y) * width + at.left) * CHANNELS;
      heap.bytes.set(marked.subarray(start, start + stride), own);
      heap.bytes.set(rgb.subarray(start, start + stride), colors);
      for (let to = 0; to < stride; to++) line[to] = opacity[y * at.width + Math.floor(to / CHANNELS)] as number;
      kernels.coverBytes(own, colors, opacities, stride);
      marked.set(bytesAt(own, stride), start);
    }
  });
}
