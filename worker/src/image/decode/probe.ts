import { open, stat } from 'node:fs/promises';
import { IMAGE_LIMITS, type ImageContentType, pictureTypeOf } from '@clearframe/contract';
import sharp, { type Metadata } from 'sharp';
import { readIsobmff } from '../heif/isobmff.js';
import { type JpegFrame, readJpegFrame } from '../jpeg/jpeg-frame.js';
import { codedColorOfPng, profileOfCode } from '../metadata/cicp.js';
import { InvalidImageError } from '../picture/errors.js';
import { READING } from '../picture/libvips.js';
import { PSD_HEADER_BYTES, readPsdHeader } from '../psd/psd-layout.js';
import { readTiffLayout, type TiffLayout } from '../tiff/layout/tiff-layout.js';
import { declareAsRgb, isLab } from '../tiff/open-tiff.js';
import { isRareTiff } from '../tiff/rare-tiff.js';
import { type Source, sourceOf } from './source.js';

type Decoder = 'libvips' | 'heic' | 'psd' | 'rare-tiff' | 'lossless-jpeg' | 'deep-jpeg';

export interface ProbedImage {
  readonly path: string;
  readonly source: Source;
  readonly tiff: TiffLayout | null;
  readonly contentType: ImageContentType;
  readonly decoder: Decoder;
  readonly sizeBytes: number;
  /** In pixels of the upright picture. */
  readonly width: number;
  readonly height: number;
  /** More than 8 bits a sample. */
  readonly isDeep: boolean;
  readonly color: 'rgb' | 'gray' | 'cmyk' | 'other';
  /** Gray whose range is still narrow after decoding. */
  readonly isNarrowGray: boolean;
  /** Colors are still multiplied by the transparency after decoding. */
  readonly isPremultiplied: boolean;
  /** The header says that all data is inside the file. */
  readonly isWhole: boolean;
  /** Null for formats that libvips does not open. */
  readonly embedded: { readonly icc?: Buffer; readonly exif?: Buffer } | null;
}

/** Format that libvips must detect. */
const FORMATS: Readonly<Record<ImageContentType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/tiff': 'tiff',
  'image/webp': 'webp',
  'image/vnd.adobe.photoshop': 'psd',
  'image/heic': 'heif',
  'image/heif': 'heif',
  'image/avif': 'heif',
};

const HEIF_TYPES = new Set<ImageContentType>(['image/heic', 'image/heif', 'image/avif']);

/** Holds every brand. */
const SIGNATURE_BYTES = 300;

/** @throws InvalidImageError with the error code for users */
export async function probeImage(path: string): Promise<ProbedImage> {
  const { size } = await stat(path);
  if (size === 0) throw new InvalidImageError('uploads.empty');
  if (size > IMAGE_LIMITS.maxBytes) throw new InvalidImageError('uploads.too_large');
  const contentType = await contentTypeOf(path);
  const probed =
    contentType === 'image/vnd.adobe.photoshop'
      ? await probePsd(path)
      : await probeWithLibvips(path, contentType, size);
  if (probed.width < 1 || probed.height < 1) throw new InvalidImageError('uploads.undecodable');
  if (probed.width * probed.height > IMAGE_LIMITS.maxPixels) throw new InvalidImageError('uploads.too_many_pixels');
  if (!probed.isWhole) throw new InvalidImageError('uploads.undecodable');
  return { path, contentType, sizeBytes: size, ...probed };
}

async function contentTypeOf(path: string): Promise<ImageContentType> {
  const contentType = pictureTypeOf(await readStart(path, SIGNATURE_BYTES));
  if (!contentType) throw new InvalidImageError('uploads.unsupported_type');
  return contentType;
}

type ProbedHeader = Pick<
  ProbedImage,
  | 'source'
  | 'tiff'
  | 'isWhole'
  | 'decoder'
  | 'width'
  | 'height'
  | 'isDeep'
  | 'color'
  | 'isNarrowGray'
  | 'isPremultiplied'
  | 'embedded'
>;

async function probeWithLibvips(path: string, contentType: ImageContentType, size: number): Promise<ProbedHeader> {
  const source = await sourceOf(path, contentType);
  // The directory of a raw photograph may be at the end of the file.
  if (typeof source !== 'string' && !pictureTypeOf(source)) throw new InvalidImageError('uploads.unsupported_type');
  const jpeg = contentType === 'image/jpeg' ? await readJpegFrame(path) : null;
  if (jpeg?.decoder) return rareJpeg(source, jpeg.decoder, jpeg);
  const tiff = contentType === 'image/tiff' && typeof source !== 'string' ? readTiffLayout(source) : null;
  if (tiff && isRareTiff(tiff)) return rareTiff(source, tiff);
  if (tiff && typeof source !== 'string' && isLab(tiff)) declareAsRgb(source, tiff);
  let header: Metadata;
  try {
    // The caller checks the limit, to tell 'too many pixels' from 'damaged'.
    header = await sharp(source, { ...READING, limitInputPixels: false }).metadata();
  } catch (cause) {
    // libheif and libtiff refuse the header of a very large picture.
    const pixels = HEIF_TYPES.has(contentType)
      ? (await readIsobmff(path)).pixels
      : (tiff?.width ?? 0) * (tiff?.height ?? 0);
    throw new InvalidImageError(pixels > IMAGE_LIMITS.maxPixels ? 'uploads.too_many_pixels' : 'uploads.undecodable', {
      cause,
    });
  }
  const boxes = header.format === 'heif' ? await readIsobmff(path) : null;
  if (header.format !== FORMATS[contentType]) throw new InvalidImageError('uploads.undecodable');
  const coded =
    boxes?.color ?? (contentType === 'image/png' && Buffer.isBuffer(source) ? codedColorOfPng(source) : null);
  const icc = header.icc ?? (coded && profileOfCode(coded)) ?? undefined;
  return {
    source,
    tiff,
    decoder: header.compression === 'hevc' ? 'heic' : 'libvips',
    width: header.autoOrient.width,
    height: header.autoOrient.height,
    isDeep: header.depth !== 'uchar',
    color: colorOf(header),
    isNarrowGray: boxes?.isNarrowGray ?? false,
    isPremultiplied: boxes?.isPremultiplied ?? false,
    embedded: { icc, exif: header.exif },
    isWhole: boxes?.isWhole ?? tiff?.isWhole ?? (contentType !== 'image/tiff' && (jpeg?.leastBits ?? 0) <= size * 8),
  };
}

/** First orientation that exchanges width and height. */
const FIRST_TURNED = 5;

const OWN_RGB = { isDeep: false, color: 'rgb', isNarrowGray: false, isPremultiplied: false, embedded: null } as const;

function rareTiff(source: Source, tiff: TiffLayout): ProbedHeader {
  const isTurned = tiff.orientation >= FIRST_TURNED;
  return {
    ...OWN_RGB,
    source,
    tiff,
    decoder: 'rare-tiff',
    width: isTurned ? tiff.height : tiff.width,
    height: isTurned ? tiff.width : tiff.height,
    isWhole: tiff.isWhole,
  };
}

const rareJpeg = (
  source: Source,
  decoder: NonNullable<JpegFrame['decoder']>,
  { width, height }: JpegFrame,
): ProbedHeader => ({ ...OWN_RGB, source, tiff: null, decoder, width, height, isWhole: true });

function colorOf({ space, icc }: Metadata): ProbedImage['color'] {
  if (space === 'srgb' || space === 'rgb' || space === 'rgb16') return 'rgb';
  // Floats without a profile are linear light.
  if (space === 'scrgb' && icc) return 'rgb';
  if (space === 'b-w' || space === 'grey16') return 'gray';
  return space === 'cmyk' ? 'cmyk' : 'other';
}

async function probePsd(path: string): Promise<ProbedHeader> {
  const header = readPsdHeader(await readStart(path, PSD_HEADER_BYTES));
  if (!header) throw new InvalidImageError('uploads.undecodable');
  const { width, height, mode, bitsPerSample } = header;
  const color = mode === 'cmyk' || mode === 'rgb' ? mode : 'gray';
  return {
    source: path,
    tiff: null,
    isWhole: true,
    width,
    height,
    color,
    isNarrowGray: false,
    isPremultiplied: false,
    isDeep: bitsPerSample > 8,
    decoder: 'psd',
    embedded: null,
  };
}

async function readStart(path: string, length: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
