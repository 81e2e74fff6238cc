import sharp from 'sharp';
import { bytesAt, heap, kernels, reserve, withKernels } from '../../rasters/kernels.js';
import { type Box, clampBox, type Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import type { PipelineContext } from '../restoration/context.js';

/** Longest sides in pixels. */
export const BASE_SIDE = 320;
export const MAP_SIDE = 1024;

/** Writes the original with a share of its restored background, 0..1, into the current picture. */
export function composeBackground({ original, current, background }: PipelineContext, strength: number): void {
  const share = background ? strength : 0;
  if (background && share >= 1) current.data.set(background.data);
  else current.data.set(original.data);
  if (background && share > 0 && share < 1) {
    const { data } = current;
    for (let at = 0; at < data.length; at++) {
      const own = data[at] as number;
      data[at] = own + ((background.data[at] as number) - own) * share + 0.5;
    }
  }
}

/** How far a result shows what the tools did, for each pixel, 0..255; null: everywhere. */
export type Mask = Uint8Array | null;

type Samples = Uint8Array | Uint16Array;

/** Mixes samples of the original into those of the result. Where the mask is black or white, one of them is unchanged. */
export function limitToMask(samples: Samples, original: Samples, mask: Uint8Array): void {
  for (let pixel = 0; pixel < mask.length; pixel++) {
    const opacity = mask[pixel] as number;
    if (opacity === 255) continue;
    for (let at = 3 * pixel; at < 3 * pixel + 3; at++) {
      const own = original[at] as number;
      samples[at] = own + Math.round((((samples[at] as number) - own) * opacity) / 255);
    }
  }
}

/** The picture as the mask shows it; itself without one. */
export function shownOf(picture: Raster, original: Raster, mask: Mask): Raster {
  if (!mask) return picture;
  const shown = { ...picture, data: Uint8Array.from(picture.data) };
  limitToMask(shown.data, original.data, mask);
  return shown;
}

export const isSame = (one: Raster, other: Raster): boolean => Buffer.compare(one.data, other.data) === 0;

/** Whether samples are equal wherever the mask is not black. */
export function isSameUnder(mask: Mask, one: Samples, other: Samples): boolean {
  if (!mask) return Buffer.compare(bytesOf(one), bytesOf(other)) === 0;
  for (let at = 0; at < one.length; at++) {
    if (one[at] !== other[at] && mask[Math.floor(at / 3)] !== 0) return false;
  }
  return true;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Samples): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

export function baseOf(picture: Raster): Promise<Raster> {
  const { width, height } = sizeWithin(picture, BASE_SIDE);
  return resize(picture, width, height, 'cubic');
}

/** Opacity of each pixel, 0..255: a change of 32 levels is opaque. */
export interface ChangeMap {
  readonly width: number;
  readonly height: number;
  readonly opacity: Uint8Array;
}

/**
 * The greatest difference of a channel, per pixel, at most `side` pixels a side. Pictures of more than twice the map's size are compared at every
 * second pixel, of more than three times at every third.
 */
export async function mapChanges(before: Raster, after: Raster, side = MAP_SIDE): Promise<ChangeMap> {
  const size = sizeWithin(before, side);
  const step = Math.max(1, Math.floor(before.width / size.width));
  const [width, height] = [Math.floor(before.width / step), Math.floor(before.height / step)];
  const middle = Math.floor(step / 2);
  const opacity = new Uint8Array(width * height);
  withKernels(() => {
    const [own, other, row] = [reserve(3 * before.width), reserve(3 * before.width), reserve(width)];
    for (let y = 0; y < height; y++) {
      const at = 3 * ((y * step + middle) * before.width + middle);
      const end = at + 3 * ((width - 1) * step + 1);
      heap.bytes.set(before.data.subarray(at, end), own);
      heap.bytes.set(after.data.subarray(at, end), other);
      kernels.mapChanges(own, other, step, row, width);
      opacity.set(bytesAt(row, width), y * width);
    }
  });
  if (size.width === width && size.height === height) return { width, height, opacity };
  const reduced = await sharp(opacity, { raw: { width, height, channels: 1 } })
    .resize({ ...size, fit: 'fill', kernel: 'linear' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  return { ...size, opacity: reduced };
}

/** WebP: gray, with the map's opacities. */
export interface EncodedChanges {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

const GRAY = 128;

/** Effort 0: 70 instead of 190 ms of a processor at 1024 x 1024, for a fifth more bytes. */
export async function encodeChanges({ width, height, opacity }: ChangeMap): Promise<EncodedChanges> {
  const pixels = Buffer.alloc(opacity.length * 4, GRAY);
  for (let index = 0; index < opacity.length; index++) pixels[index * 4 + 3] = opacity[index] as number;
  const bytes = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .webp({ quality: 50, alphaQuality: 60, effort: 0 })
    .toBuffer();
  return { width, height, bytes };
}

function sizeWithin({ width, height }: Raster, side: number): { width: number; height: number } {
  const scale = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Mean absolute difference in levels of 255 up to which a change is invisible. */
const INVISIBLE_LEVELS = 2;
const BLOCK_SIDE = 64;

/** Whether the samples of a box differ visibly in two pictures of the same size, as far as the mask shows them. */
export function isVisibleIn(box: Box, before: Raster, after: Raster, mask: Mask = null): boolean {
  const { x, y, width, height } = clampBox(box, before.width, before.height);
  let sum = 0;
  for (let row = y; row < y + height; row++) {
    for (let pixel = row * before.width + x; pixel < row * before.width + x + width; pixel++) {
      const opacity = mask ? (mask[pixel] as number) / 255 : 1;
      for (let at = 3 * pixel; at < 3 * pixel + 3; at++) {
        sum += opacity * Math.abs((before.data[at] as number) - (after.data[at] as number));
      }
    }
  }
  return sum > INVISIBLE_LEVELS * 3 * width * height;
}

/** Whether some block differs visibly. Ends at the first: a whole picture of 4 megapixels takes about 10 ms, and no memory. */
export function isVisible(before: Raster, after: Raster): boolean {
  for (let y = 0; y < before.height; y += BLOCK_SIDE) {
    for (let x = 0; x < before.width; x += BLOCK_SIDE) {
      const block = {
        x,
        y,
        width: Math.min(BLOCK_SIDE, before.width - x),
        height: Math.min(BLOCK_SIDE, before.height - y),
      };
      if (isVisibleIn(block, before, after)) return true;
    }
  }
  return false;
}
