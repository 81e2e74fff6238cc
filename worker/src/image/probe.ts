import { open, stat } from 'node:fs/promises';
import { acceptedTypeOf, IMAGE_LIMITS, type ImageContentType } from '@clearframe/contract';
import { fileTypeFromFile } from 'file-type';
import sharp, { type Metadata } from 'sharp';
import { isWholeIsobmff } from './decode/isobmff.js';
import { PSD_HEADER_BYTES, readPsdHeader } from './decode/psd.js';
import { InvalidImageError } from './errors.js';
import { READING } from './libvips.js';

/** Who can decode a file: libvips by itself, or a decoder of our own choosing in a thread. */
export type Decoder = 'libvips' | 'heic' | 'psd';

/** What a file is, as told by its bytes and its header, before anything is decoded. */
export interface ImageFacts {
  readonly path: string;
  readonly contentType: ImageContentType;
  readonly decoder: Decoder;
  readonly sizeBytes: number;
  /** Of the upright picture. */
  readonly width: number;
  readonly height: number;
  /** More than 8 bits a sample. */
  readonly isDeep: boolean;
  readonly colour: 'rgb' | 'gray' | 'cmyk' | 'other';
  /** Embedded blocks as found; null where libvips does not open the format. */
  readonly embedded: { readonly icc?: Buffer; readonly exif?: Buffer } | null;
}

/** The format libvips must recognise for a content type; anything else is a file that pretends. */
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

/**
 * Looks at a file without decoding it.
 * @throws InvalidImageError with the code that says what is wrong with it
 */
export async function probeImage(path: string): Promise<ImageFacts> {
  const { size } = await stat(path);
  if (size === 0) throw new InvalidImageError('uploads.empty');
  if (size > IMAGE_LIMITS.maxBytes) throw new InvalidImageError('uploads.too_large');
  const contentType = await contentTypeOf(path);
  const facts =
    contentType === 'image/vnd.adobe.photoshop' ? await probePsd(path) : await probeWithLibvips(path, contentType);
  if (facts.width < 1 || facts.height < 1) throw new InvalidImageError('uploads.undecodable');
  if (facts.width * facts.height > IMAGE_LIMITS.maxPixels) throw new InvalidImageError('uploads.too_many_pixels');
  return { path, contentType, sizeBytes: size, ...facts };
}

async function contentTypeOf(path: string): Promise<ImageContentType> {
  const detected = await fileTypeFromFile(path).catch(() => undefined);
  const contentType = detected ? acceptedTypeOf(detected.mime) : signatureOf(await readStart(path, 4));
  if (!contentType) throw new InvalidImageError('uploads.unsupported_type');
  return contentType;
}

/** Types that file-type only tells from a whole file, so that one cut short is 'damaged' rather than 'unknown'. */
function signatureOf(start: Buffer): ImageContentType | undefined {
  const signature = start.toString('latin1');
  if (signature === 'II*\0' || signature === 'MM\0*') return 'image/tiff';
  return signature === '\x89PNG' ? 'image/png' : undefined;
}

type HeaderFacts = Pick<ImageFacts, 'decoder' | 'width' | 'height' | 'isDeep' | 'colour' | 'embedded'>;

async function probeWithLibvips(path: string, contentType: ImageContentType): Promise<HeaderFacts> {
  let header: Metadata;
  try {
    // The cap is checked by the caller, which can tell 'too many pixels' from 'damaged'.
    header = await sharp(path, { ...READING, limitInputPixels: false }).metadata();
  } catch (cause) {
    throw new InvalidImageError('uploads.undecodable', { cause });
  }
  const isWhole = header.format !== 'heif' || (await isWholeIsobmff(path));
  if (header.format !== FORMATS[contentType] || !isWhole) throw new InvalidImageError('uploads.undecodable');
  return {
    decoder: header.compression === 'hevc' ? 'heic' : 'libvips',
    width: header.autoOrient.width,
    height: header.autoOrient.height,
    isDeep: header.depth !== 'uchar',
    colour: colourOf(header.space),
    embedded: { icc: header.icc, exif: header.exif },
  };
}

function colourOf(space: string | undefined): ImageFacts['colour'] {
  if (space === 'srgb' || space === 'rgb' || space === 'rgb16') return 'rgb';
  if (space === 'b-w' || space === 'grey16') return 'gray';
  return space === 'cmyk' ? 'cmyk' : 'other';
}

async function probePsd(path: string): Promise<HeaderFacts> {
  const header = readPsdHeader(await readStart(path, PSD_HEADER_BYTES));
  if (!header) throw new InvalidImageError('uploads.undecodable');
  const { width, height, mode, bitsPerSample } = header;
  const colour = mode === 'cmyk' || mode === 'rgb' ? mode : 'gray';
  return { width, height, colour, isDeep: bitsPerSample > 8, decoder: 'psd', embedded: null };
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
