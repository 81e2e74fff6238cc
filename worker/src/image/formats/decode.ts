import { stat } from 'node:fs/promises';
import { IMAGE_LIMITS, type ImageContentType } from '@clearframe/contract/media';
import { pictureTypeOf } from '@clearframe/contract/signatures';
import type { Sharp } from 'sharp';
import { InvalidImageError } from '../errors.js';
import type { PictureMetadata } from '../file-metadata.js';
import { encodeSrgb, labToSrgb } from '../lab.js';
import { LIBVIPS_TIMEOUT_SECONDS } from '../libvips.js';
import {
  divideByAlpha,
  fullOf,
  interleave,
  makeSamples,
  type Picture,
  readSamples,
  removeWhiteMatte,
  type Samples,
  splitAlpha,
} from '../picture.js';
import { PixelFile } from '../pixel-file.js';
import { readStart } from '../with-file.js';
import { type Floats, type ImageFile, type ImageFormat, type OpenedImage, type ProbedFile } from './format.js';
import { heif } from './heif.js';
import { jpeg } from './jpeg.js';
import { png } from './png.js';
import { psd } from './psd.js';
import { tiff } from './tiff.js';
import { webp } from './webp.js';

const FORMATS: readonly ImageFormat[] = [jpeg, png, webp, heif, tiff, psd];

export type ProbedImage = ImageFile & ProbedFile;

/** Holds every brand. */
const SIGNATURE_BYTES = 300;

/**
 * Reads the header of a picture: limits and truncation are found before a decoder runs.
 * @param maxBytes of the file: our own lossless ones may be larger than an upload
 * @throws InvalidImageError with the error code for users
 */
export async function probeImage(path: string, maxBytes: number = IMAGE_LIMITS.maxBytes): Promise<ProbedImage> {
  const { size } = await stat(path);
  if (size === 0) throw new InvalidImageError('uploads.empty');
  if (size > maxBytes) throw new InvalidImageError('uploads.too_large');
  const contentType = pictureTypeOf(await readStart(path, SIGNATURE_BYTES));
  if (!contentType) throw new InvalidImageError('uploads.unsupported_type');
  const file = { path, contentType, sizeBytes: size };
  const probed = await formatOf(contentType).probe(file);
  if (probed.width < 1 || probed.height < 1) throw new InvalidImageError('uploads.undecodable');
  if (probed.width * probed.height > IMAGE_LIMITS.maxPixels) throw new InvalidImageError('uploads.too_many_pixels');
  if (!probed.isWhole) throw new InvalidImageError('uploads.undecodable');
  return { ...file, ...probed };
}

function formatOf(contentType: ImageContentType): ImageFormat {
  const format = FORMATS.find(({ accepts }) => accepts.includes(contentType));
  if (!format) throw new Error(`no decoder for ${contentType}`);
  return format;
}

interface DecodeOptions {
  /** Larger pictures are scaled down to this longest side. */
  readonly maxSide: number;
  /** Keep 16 bits a sample if present, else 8. */
  readonly keepDepth: boolean;
}

/**
 * Upright, at most `maxSide`, RGB in its own color space (others become sRGB).
 * @throws InvalidImageError for a damaged file
 */
export async function decodePicture({ open, isDeep }: ProbedImage, options: DecodeOptions): Promise<Picture> {
  try {
    const opened = await open();
    const picture = await readPixels(opened, isDeep, options).catch((error) =>
      readWithoutEnd(opened, isDeep, options, error),
    );
    if (opened.isMattedWithWhite && picture.alpha) removeWhiteMatte(picture.rgb, picture.alpha);
    if (opened.isPremultiplied && picture.alpha) divideByAlpha(picture.rgb, picture.alpha);
    return { ...picture, metadata: { icc: opened.icc, exif: opened.exif } };
  } catch (cause) {
    if (cause instanceof InvalidImageError) throw cause;
    throw new InvalidImageError('uploads.undecodable', { cause });
  }
}

/** Decoded to a file. */
interface DecodedFile {
  readonly pixels: PixelFile;
  readonly metadata: PictureMetadata;
}

/**
 * Decodes to a file instead of memory, upright and in the size of the probe, with 16 bits a sample if it has them. Files that
 * libvips alone can't read pass through memory.
 * @param path of the file, perhaps with an ending
 * @param options.hasAlpha by default as the picture has it
 * @throws InvalidImageError for a damaged file
 */
export async function decodeToFile(
  probed: ProbedImage,
  path: string,
  { maxSide, hasAlpha: wanted }: Pick<DecodeOptions, 'maxSide'> & { readonly hasAlpha?: boolean | undefined },
): Promise<DecodedFile> {
  const isDeep = probed.isDeep;
  const opened = await probed.open();
  const hasAlpha = wanted ?? (await opened.image.metadata()).hasAlpha;
  const { icc, exif } = opened;
  if (isPlain(opened)) {
    const fitted = fittedOf(opened, maxSide);
    const image = (hasAlpha ? fitted.ensureAlpha() : fitted.removeAlpha()).toColourspace(isDeep ? 'rgb16' : 'srgb');
    const pixels = await PixelFile.save(image, path, { channels: hasAlpha ? 4 : 3, isDeep }).catch(() => null);
    if (pixels) return { pixels, metadata: { icc, exif } };
  }
  // A file that lacks its end, or that needs more than libvips; a damaged one fails again.
  const { metadata, ...picture } = await decodePicture(probed, { maxSide, keepDepth: true });
  const { width, height } = picture;
  const { samples, channels } = interleave({ ...picture, alpha: hasAlpha ? picture.alpha : null });
  const pixels = await PixelFile.write(path, { width, height, channels, isDeep }, [samples]);
  return { pixels, metadata };
}

const isPlain = ({ floats, isLab, isNarrowGray, isMattedWithWhite, isPremultiplied }: OpenedImage): boolean =>
  !(floats || isLab || isNarrowGray || isMattedWithWhite || isPremultiplied);

type Pixels = Omit<Picture, 'metadata'>;

const fittedOf = ({ image }: OpenedImage, maxSide: number): Sharp =>
  image
    .autoOrient()
    .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
    .timeout({ seconds: LIBVIPS_TIMEOUT_SECONDS });

async function readPixels(opened: OpenedImage, isDeep: boolean, options: DecodeOptions): Promise<Pixels> {
  const { maxSide, keepDepth } = options;
  const deep = isDeep && keepDepth;
  const fitted = fittedOf(opened, maxSide);
  if (opened.floats) return readFloats(fitted, opened.floats, deep);
  const { samples, width, height, channels } = await readSamples(fitted, deep);
  if (opened.isLab) labToSrgb(samples, channels);
  const split = splitAlpha(samples, channels);
  if (opened.isNarrowGray) widenRange(split.rgb);
  return { width, height, ...split };
}

/** Black and white of the narrow range, of 255. */
const NARROW = { black: 16, white: 235 } as const;

function widenRange(samples: Samples): void {
  const largest = fullOf(samples);
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
  const rgb = makeSamples(deep, width * height * 3);
  const alpha = grayAlpha || (hasAlpha && channels > colors) ? makeSamples(deep, width * height) : null;
  const largest = fullOf(rgb);
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
 * A file that lacks only its end marker.
 * @throws `original` for any other defect
 */
async function readWithoutEnd(
  opened: OpenedImage,
  isDeep: boolean,
  options: DecodeOptions,
  original: unknown,
): Promise<Pixels> {
  const completions = await opened.completions?.();
  if (!completions) throw original;
  const [image, otherImage] = completions;
  const picture = await readPixels({ ...opened, image }, isDeep, options);
  const other = await readPixels({ ...opened, image: otherImage }, isDeep, options);
  if (picture.rgb.some((value, index) => value !== other.rgb[index])) throw original;
  return picture;
}
