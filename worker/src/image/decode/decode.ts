import { readFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { InvalidImageError } from '../picture/errors.js';
import { encodeSrgb, labToSrgb } from '../picture/lab.js';
import { LIBVIPS_TIMEOUT_SECONDS } from '../picture/libvips.js';
import type { Floats, OpenedImage } from '../picture/opened.js';
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
 * Upright, at most `maxSide`, RGB in its own color space (others become sRGB).
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
  if (opened.floats) return readFloats(fitted, opened.floats, deep);
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

async function readFloats(image: Sharp, { colors, isLinear, hasAlpha }: Floats, deep: boolean): Promise<Pixels> {
  const read = async (part: Sharp) => {
    const { data, info } = await part
      .toColourspace(colors === 1 ? 'b-w' : 'scrgb')
      .raw({ depth: 'float' })
      .toBuffer({ resolveWithObject: true });
    return { floats: new Float32Array(data.buffer, data.byteOffset, data.length / 4), ...info };
  };
  const { floats, width, height, channels } = await read(image);
  // sharp keeps only the first channel of a gray picture.
  const grayAlpha = colors === 1 && hasAlpha ? await read(image.clone().extractChannel(1)) : null;
  const largest = deep ? 0xffff : 0xff;
  const make = (length: number): Samples => (deep ? new Uint16Array(length) : new Uint8Array(length));
  const rgb = make(width * height * 3);
  const alpha = grayAlpha || (hasAlpha && channels > colors) ? make(width * height) : null;
  const white = whiteOf(floats, channels, colors);
  const codeOf = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * largest);
  for (let pixel = 0, from = 0; pixel < width * height; pixel++, from += channels) {
    for (let channel = 0; channel < 3; channel++) {
      const value = floats[from + (colors === 1 ? 0 : channel)] ?? 0;
      rgb[pixel * 3 + channel] = codeOf(isLinear && white === 1 ? encodeSrgb(value) : value / white);
    }
    if (alpha) alpha[pixel] = codeOf((grayAlpha?.floats[pixel] ?? floats[from + colors] ?? 1) / white);
  }
  return { width, height, rgb, alpha };
}

/** Codes 0 to 255 or 65,535 that were stored as floats without scaling: their mean is far above light's, in which white is 1. */
const LEAST_MEAN_OF_CODES = 8;

function whiteOf(floats: Float32Array, channels: number, colors: number): number {
  let [sum, most] = [0, 0];
  for (let from = 0; from < floats.length; from += channels) {
    for (let at = from; at < from + colors; at++) {
      const value = floats[at] ?? 0;
      sum += value;
      if (value > most) most = value;
    }
  }
  const mean = (sum * channels) / (floats.length * colors);
  if (!(mean > LEAST_MEAN_OF_CODES)) return 1;
  return most <= 0x100 ? 0xff : 0xffff;
}

/**
 * A JPEG that lacks only its end marker.
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
/** Some writers append bytes. */
const MAX_TAIL_BYTES = 1_024;
/** Bytes that are neither markers nor valid padding. */
const FILLER = Buffer.alloc(512, 0x55);

/**
 * Completions by the end marker, and by filler: if both decode alike, only the marker was missing. Null where it is
 * present.
 */
function completionsOf(file: Buffer): readonly [Buffer, Buffer] | null {
  if (file.includes(END_MARKER, Math.max(0, file.length - MAX_TAIL_BYTES))) return null;
  return [Buffer.concat([file, END_MARKER]), Buffer.concat([file, FILLER, END_MARKER])];
}
