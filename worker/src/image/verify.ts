import type { ImageContentType } from '@clearframe/contract';
import sharp from 'sharp';
import { LIBVIPS_TIMEOUT_SECONDS } from './libvips.js';

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
  bytes: Buffer,
  contentType: ImageContentType,
  expected: { width: number; height: number },
): Promise<void> {
  const image = sharp(bytes, { failOn: 'warning', sequentialRead: true });
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
