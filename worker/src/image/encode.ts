import type { FlatContentType, ImageContentType, JpegQuality, PictureContentType } from '@clearframe/contract';
import sharp, { type Sharp } from 'sharp';
import { attachToJpeg, attachToPng, attachToTiff } from './attach-metadata.js';
import { encodePng, pngOf } from './encode-png.js';
import { writeTiff } from './encode-tiff.js';
import type { ExifSize } from './exif.js';
import type { FileMetadata } from './file-metadata.js';
import { LIBVIPS_TIMEOUT_SECONDS } from './libvips.js';
import { interleave, isDeep, type Picture, type Samples } from './picture.js';
import { type PixelFile, rowsOf } from './pixel-file.js';
import { readStart, withFile, writeAt } from './with-file.js';

export interface EncodeOrder {
  readonly contentType: FlatContentType;
  readonly jpegQuality: JpegQuality;
}

export interface EncodedImage {
  readonly bytes: Buffer;
  readonly contentType: PictureContentType;
  readonly width: number;
  readonly height: number;
}

/** `image` yields `width` x `height` pixels of 8 or 16 bits. */
export interface Canvas {
  readonly image: Sharp;
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
  /** The same pixels if they are in memory, interleaved. */
  readonly samples: Samples | null;
}

export function canvasOf(picture: Picture): Canvas {
  const { samples, channels } = interleave(picture);
  const { width, height } = picture;
  const image = sharp(samples, { raw: { width, height, channels } }).toColourspace(isDeep(samples) ? 'rgb16' : 'srgb');
  return { image, width, height, hasAlpha: channels === 4, samples };
}

/** libvips reads a few rows at a time. */
export function canvasOfFile({ path, layout }: PixelFile): Canvas {
  const { width, height, channels, isDeep } = layout;
  const image = sharp(path, { sequentialRead: true }).toColourspace(isDeep ? 'rgb16' : 'srgb');
  return { image, width, height, hasAlpha: channels === 4, samples: null };
}

interface SharpOrder extends EncodeOrder {
  /** In memory only a few rows at a time. */
  readonly isStreamed?: boolean;
}

/** 72 dpi, in pixels per millimeter. */
const SCREEN_DENSITY = 72 / 25.4;

/**
 * Measured on a 2048 x 1536 photograph with 2 threads. PNG of libvips at level 2 with adaptive filters: 130 ms, 2.9 MB; level 1
 * without: 64 ms, 5.9 MB; level 6: 286 ms, 2.6 MB. Progressive JPEG: 43 instead of 9 ms, 3 to 6 % smaller and visible early,
 * which a download does not need. TIFF with LZW: 112 ms; deflate: 201 ms for an eighth less.
 */
const ENCODERS: Readonly<Record<FlatContentType, (canvas: Canvas, order: SharpOrder) => Sharp>> = {
  'image/jpeg': ({ image, hasAlpha }, { jpegQuality, isStreamed = false }) =>
    (hasAlpha ? image.flatten({ background: 'white' }) : image).toColourspace('srgb').jpeg({
      quality: jpegQuality,
      // Better codes would need all coefficients in memory: 300 MB at 100 megapixels.
      optimizeCoding: !isStreamed,
      chromaSubsampling: jpegQuality === 100 ? '4:4:4' : '4:2:0',
    }),
  'image/png': ({ image }) => image.png({ compressionLevel: 2, adaptiveFiltering: true }),
  'image/tiff': ({ image }) =>
    image.tiff({ compression: 'lzw', predictor: 'horizontal', xres: SCREEN_DENSITY, yres: SCREEN_DENSITY }),
};

const encoderOf = (canvas: Canvas, order: SharpOrder): Sharp =>
  ENCODERS[order.contentType](canvas, order).timeout({ seconds: LIBVIPS_TIMEOUT_SECONDS });

type WriteMetadata = (file: Buffer, metadata: FileMetadata, size: ExifSize) => Buffer;

/** libvips would convert colors to an attached profile, rewrites EXIF, and writes none in TIFF. */
const METADATA_WRITERS: Readonly<Record<FlatContentType, WriteMetadata>> = {
  'image/jpeg': attachToJpeg,
  'image/png': attachToPng,
  'image/tiff': attachToTiff,
};

/** Deterministic. Verifies the file by decoding it. */
export async function encodeImage(canvas: Canvas, order: EncodeOrder, metadata: FileMetadata): Promise<EncodedImage> {
  const { width, height, samples, hasAlpha } = canvas;
  const encoded =
    order.contentType === 'image/png' && samples instanceof Uint8Array
      ? await encodePng(rowsOf({ width, height, channels: hasAlpha ? 4 : 3, isDeep: false }, samples))
      : await encoderOf(canvas, order).toBuffer();
  const bytes = METADATA_WRITERS[order.contentType](encoded, metadata, { width, height });
  await verifyEncoded(bytes, order.contentType, { width, height });
  return { bytes, contentType: order.contentType, width, height };
}

/** An encoded picture that may be too large for memory: `head`, then the file without its first `skipped` bytes. */
export interface EncodedFile extends Omit<EncodedImage, 'bytes'> {
  readonly path: string;
  readonly head: Buffer;
  readonly skipped: number;
  readonly sizeBytes: number;
}

/** Bytes before which metadata are written: a JFIF segment, a header chunk. */
const HEAD_BYTES = { 'image/jpeg': 20, 'image/png': 33 } as const;

/** Of work in strips, between which it can be stopped. */
export interface StripContext {
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

/** As {@link encodeImage}, to a file: in memory are only some rows at a time. */
export async function encodeToFile(
  pixels: PixelFile,
  order: EncodeOrder,
  metadata: FileMetadata,
  path: string,
  { signal, onProgress }: StripContext,
): Promise<EncodedFile> {
  const { contentType } = order;
  const { width, height } = pixels.layout;
  const progress = (fraction: number) => {
    signal.throwIfAborted();
    onProgress(fraction);
  };
  const size = { width, height };
  if (contentType === 'image/tiff') {
    const sizeBytes = await writeTiff(path, pixels, metadata, progress);
    await verifyEncoded(path, contentType, size);
    return { path, head: Buffer.alloc(0), skipped: 0, sizeBytes, contentType, width, height };
  }
  const written =
    contentType === 'image/png'
      ? await writeParts(path, pngOf(pixels, progress))
      : (await encoderOf(canvasOfFile(pixels), { ...order, isStreamed: true }).toFile(path)).size;
  progress(1);
  await verifyEncoded(path, contentType, size);
  const skipped = Math.min(written, HEAD_BYTES[contentType]);
  const head = METADATA_WRITERS[contentType](await readStart(path, skipped), metadata, size);
  return { path, head, skipped, sizeBytes: head.length + written - skipped, contentType, width, height };
}

/** @returns the number of bytes */
const writeParts = (path: string, parts: AsyncIterable<Buffer>): Promise<number> =>
  withFile(
    path,
    async (file) => {
      let end = 0;
      for await (const part of parts) {
        await writeAt(file, part, end);
        end += part.length;
      }
      return end;
    },
    'w',
  );

const FORMATS: Readonly<Partial<Record<ImageContentType, string>>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/tiff': 'tiff',
  'image/webp': 'webp',
};

/**
 * Decodes every row; even warnings are errors. Keeps the last row only, for memory.
 * @throws Error for an undecodable file, or another size or format
 */
export async function verifyEncoded(
  source: Buffer | string,
  contentType: ImageContentType,
  expected: { width: number; height: number },
): Promise<void> {
  const image = sharp(source, { failOn: 'warning', sequentialRead: true });
  const { format, width, height } = await image.metadata();
  if (format !== FORMATS[contentType] || width !== expected.width || height !== expected.height) {
    throw new Error(`encoded ${format} of ${width} x ${height} has another size or format than its source`);
  }
  await image
    .extract({ left: 0, top: height - 1, width, height: 1 })
    .timeout({ seconds: LIBVIPS_TIMEOUT_SECONDS })
    .raw({ depth: 'uchar' })
    .toBuffer();
}
