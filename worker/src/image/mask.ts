import sharp from 'sharp';
import { resizePlane } from '../rasters/row-sampler.js';
import { InvalidImageError } from './errors.js';
import { criticalChunksOf } from './formats/png.js';
import { LIBVIPS_TIMEOUT_SECONDS, READING } from './libvips.js';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Samples of 0 to 255, one a pixel. */
export interface GrayPicture extends Size {
  readonly data: Uint8Array;
}

/** A mask in its own size. @throws unless it can be decoded */
export async function decodeMask(file: Buffer): Promise<GrayPicture> {
  const { data, info } = await decode(file);
  return { width: info.width, height: info.height, data };
}

/**
 * The mask of a picture at the size of its result, 0 to 255 a pixel. Linear both ways: a sharper kernel would make gray of
 * black beside white.
 * @throws InvalidImageError `masks.undecodable`, `masks.all_black`
 */
export async function readMask(file: Buffer, { width, height }: Size): Promise<Uint8Array> {
  const { data, info } = await decode(file, { width, height }).catch((cause) => {
    throw new InvalidImageError('masks.undecodable', { cause });
  });
  const isSized = info.width === width && info.height === height;
  const mask = isSized ? data : enlarged(data, info, { width, height });
  if (mask.every((value) => value === 0)) throw new InvalidImageError('masks.all_black');
  return mask;
}

/** @param size it is reduced to */
async function decode(file: Buffer, size?: Size) {
  const image = sharp(criticalChunksOf(file), READING);
  const { width } = await image.metadata();
  // libvips enlarges shifted by half a pixel.
  const reduced = size && width > size.width ? image.resize({ ...size, fit: 'fill', kernel: 'linear' }) : image;
  return reduced
    .toColourspace('b-w')
    .timeout({ seconds: LIBVIPS_TIMEOUT_SECONDS })
    .raw()
    .toBuffer({ resolveWithObject: true });
}

function enlarged(data: Uint8Array, from: Size, to: Size): Uint8Array {
  const source = { width: from.width, height: from.height, data: Float32Array.from(data) };
  return Uint8Array.from(resizePlane(source, to.width, to.height).data, Math.round);
}
