import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { InvalidImageError } from '../picture/errors.js';
import { encodeSrgb, labToSrgb } from '../picture/lab.js';
import { LIBVIPS_TIMEOUT_SECONDS } from '../picture/libvips.js';
import type { OpenedImage } from '../picture/opened.js';
import { type Picture, type Samples, splitAlpha } from '../picture/picture.js';
import { divideByAlpha, removeWhiteMatte } from './matte.js';
import { colorPolicy, openImage } from './open.js';
import type { ProbedImage } from './probe.js';

export interface DecodeOptions {
  /** Larger pictures are scaled down to this longest side. */
  readonly maxSide: number;
  /** Keep 16 bits a sample if present, else 8. */
  readonly keepDepth: boolean;
  readonly signal: AbortSignal;
}

/**
 * Upright, at most `maxSide`, RGB in its own color space (others become sRGB), with separate transparency.
 * @throws InvalidImageError for a damaged file
 */
export async function decodePicture(probed: ProbedImage, options: DecodeOptions): Promise<Picture> {
  try {
    const opened = await openImage(probed, options.signal);
    const picture = await readSamples(opened, probed, options).catch(async (error) => {
      if (probed.contentType !== 'image/jpeg') throw error;
      return readJpegWithoutEnd(opened, probed, options, error);
    });
    if (opened.isMattedWithWhite && picture.alpha) removeWhiteMatte(picture.rgb, picture.alpha);
    if (probed.isPremultiplied && picture.alpha) divideByAlpha(picture.rgb, picture.alpha);
    return { ...picture, metadata: { icc: opened.icc, exif: opened.exif } };
  } catch (cause) {
    options.signal.throwIfAborted();
    if (cause instanceof InvalidImageError) throw cause;
    throw new InvalidImageError('uploads.undecodable', { cause });
  }
}

type Pixels = Omit<Picture, 'metadata'>;

async function readSamples(opened: OpenedImage, probed: ProbedImage, options: DecodeOptions): Promise<Pixels> {
  const { maxSide, keepDepth } = options;
  const deep = probed.isDeep && keepDepth;
  const fitted = opened.image
    .autoOrient()
    .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
    .timeout({ seconds: LIBVIPS_TIMEOUT_SECONDS });
  if (opened.isGrayFloat) {
    const { data, info } = await fitted
      .toColourspace('b-w')
      .raw({ depth: 'float' })
      .toBuffer({ resolveWithObject: true });
    const light = new Float32Array(data.buffer, data.byteOffset, data.length / 4);
    return { width: info.width, height: info.height, rgb: grayOf(light, deep), alpha: null };
  }
  if (opened.isProfiledFloat) {
    const { data, info } = await fitted
      .toColourspace('scrgb')
      .raw({ depth: 'float' })
      .toBuffer({ resolveWithObject: true });
    const codes = new Float32Array(data.buffer, data.byteOffset, data.length / 4);
    return { width: info.width, height: info.height, rgb: samplesOf(codes, deep), alpha: null };
  }
  const { data, info } = await fitted
    .toColourspace(deep ? 'rgb16' : 'srgb')
    .raw({ depth: deep ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const samples: Samples = deep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  if (opened.isLab) labToSrgb(samples, info.channels);
  const split = splitAlpha(samples, info.channels);
  if (probed.isNarrowGray) widenRange(split.rgb);
  return { width: info.width, height: info.height, ...split };
}

/** Black and white of the narrow range, of 255. */
const NARROW = { black: 16, white: 235 } as const;

function widenRange(samples: Samples): void {
  const largest = samples instanceof Uint16Array ? 0xffff : 0xff;
  const scale = 0xff / (NARROW.white - NARROW.black);
  const black = (NARROW.black * largest) / 0xff;
  samples.forEach((value, index) => {
    samples[index] = Math.min(largest, Math.max(0, Math.round((value - black) * scale)));
  });
}

function samplesOf(codes: Float32Array, deep: boolean): Samples {
  const largest = deep ? 0xffff : 0xff;
  const samples = deep ? new Uint16Array(codes.length) : new Uint8Array(codes.length);
  codes.forEach((code, index) => {
    samples[index] = Math.round(Math.min(1, Math.max(0, code)) * largest);
  });
  return samples;
}

function grayOf(light: Float32Array, deep: boolean): Samples {
  const rgb = deep ? new Uint16Array(light.length * 3) : new Uint8Array(light.length * 3);
  light.forEach((value, pixel) => {
    rgb.fill(Math.round(encodeSrgb(value) * (deep ? 0xffff : 0xff)), pixel * 3, pixel * 3 + 3);
  });
  return rgb;
}

/**
 * Accepts a JPEG that lacks only its end marker.
 * @throws `original` for any other defect
 */
async function readJpegWithoutEnd(
  opened: OpenedImage,
  probed: ProbedImage,
  options: DecodeOptions,
  original: unknown,
): Promise<Pixels> {
  const completions = completionsOf(await readFile(probed.path));
  if (!completions) throw original;
  const { reading } = colorPolicy(probed.color, probed.embedded?.icc);
  const read = (bytes: Buffer, failOn: 'warning' | 'none') =>
    readSamples({ ...opened, image: sharp(bytes, { ...reading, failOn }) }, probed, options);
  const picture = await read(completions[0], 'warning');
  const other = await read(completions[1], 'none');
  if (picture.rgb.some((value, index) => value !== other.rgb[index])) throw original;
  return picture;
}

const END_MARKER = Buffer.from([0xff, 0xd9]);
/** Some writers append bytes after the end. */
const MAX_TAIL_BYTES = 1_024;
/** Bytes that are neither markers nor valid padding. */
const FILLER = Buffer.alloc(512, 0x55);

/**
 * Completions of a JPEG without an end marker: by the marker, and by filler. If both decode to the same picture, only
 * the marker was missing. Null where the marker is present.
 */
function completionsOf(file: Buffer): readonly [Buffer, Buffer] | null {
  if (file.includes(END_MARKER, Math.max(0, file.length - MAX_TAIL_BYTES))) return null;
  return [Buffer.concat([file, END_MARKER]), Buffer.concat([file, FILLER, END_MARKER])];
}
