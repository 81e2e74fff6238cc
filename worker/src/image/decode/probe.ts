import { open, stat } from 'node:fs/promises';
import { acceptedTypeOf, IMAGE_LIMITS, type ImageContentType } from '@clearframe/contract';
import { fileTypeFromFile } from 'file-type';
import sharp, { type Metadata } from 'sharp';
import { readIsobmff } from '../heif/isobmff.js';
import { codedColourOfPng, profileOfCode } from '../metadata/cicp.js';
import { InvalidImageError } from '../picture/errors.js';
import { READING } from '../picture/libvips.js';
import { PSD_HEADER_BYTES, readPsdHeader } from '../psd/psd-layout.js';
import { isLab, sayRgb } from '../tiff/open-tiff.js';
import { readTiffLayout, type TiffLayout } from '../tiff/tiff-layout.js';
import { type Source, sourceOf } from './source.js';

/** Who can decode a file: libvips by itself, or a decoder of our own choosing in a thread. */
type Decoder = 'libvips' | 'heic' | 'psd';

/** What a file is, as told by its bytes and its header, before anything is decoded. */
export interface ImageFacts {
  readonly path: string;
  /** What libvips opens; the path where the file can be read as it is. */
  readonly source: Source;
  /** Null for other formats. */
  readonly tiff: TiffLayout | null;
  readonly contentType: ImageContentType;
  readonly decoder: Decoder;
  readonly sizeBytes: number;
  /** Of the upright picture. */
  readonly width: number;
  readonly height: number;
  /** More than 8 bits a sample. */
  readonly isDeep: boolean;
  readonly colour: 'rgb' | 'gray' | 'cmyk' | 'other';
  /** As far as the header tells: nothing that it names lies behind the end of the file. */
  readonly isWhole: boolean;
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
  if (!facts.isWhole) throw new InvalidImageError('uploads.undecodable');
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

type HeaderFacts = Pick<
  ImageFacts,
  'source' | 'tiff' | 'isWhole' | 'decoder' | 'width' | 'height' | 'isDeep' | 'colour' | 'embedded'
>;

async function probeWithLibvips(path: string, contentType: ImageContentType): Promise<HeaderFacts> {
  const source = await sourceOf(path, contentType);
  const tiff = contentType === 'image/tiff' && typeof source !== 'string' ? readTiffLayout(source) : null;
  if (tiff && typeof source !== 'string' && isLab(tiff)) sayRgb(source, tiff);
  let header: Metadata;
  try {
    // The cap is checked by the caller, which can tell 'too many pixels' from 'damaged'.
    header = await sharp(source, { ...READING, limitInputPixels: false }).metadata();
  } catch (cause) {
    throw new InvalidImageError('uploads.undecodable', { cause });
  }
  const boxes = header.format === 'heif' ? await readIsobmff(path) : null;
  if (header.format !== FORMATS[contentType]) throw new InvalidImageError('uploads.undecodable');
  const coded =
    boxes?.colour ?? (contentType === 'image/png' && Buffer.isBuffer(source) ? codedColourOfPng(source) : null);
  const icc = header.icc ?? (coded && profileOfCode(coded)) ?? undefined;
  return {
    source,
    tiff,
    decoder: header.compression === 'hevc' ? 'heic' : 'libvips',
    width: header.autoOrient.width,
    height: header.autoOrient.height,
    isDeep: header.depth !== 'uchar',
    colour: colourOf(header.space),
    embedded: { icc, exif: header.exif },
    isWhole: boxes?.isWhole ?? tiff?.isWhole ?? contentType !== 'image/tiff',
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
  return {
    source: path,
    tiff: null,
    isWhole: true,
    width,
    height,
    colour,
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
