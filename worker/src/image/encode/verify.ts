import type { ImageContentType } from '@clearframe/contract';
import sharp from 'sharp';
import { LIBVIPS_TIMEOUT_SECONDS } from '../picture/libvips.js';

const FORMATS: Readonly<Partial<Record<ImageContentType, string>>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/tiff': 'tiff',
  'image/webp': 'webp',
};

/**
 * Decodes every pixel; even warnings are errors.
 * @throws Error for an undecodable file, or another size or format
 */
export async function verifyEncoded(
  bytes: Buffer,
  contentType: ImageContentType,
  expected: { width: number; height: number },
): Promise<void> {
  const image = sharp(bytes, { failOn: 'warning', sequentialRead: true });
  const { format } = await image.metadata();
  const { info } = await image
    .timeout({ seconds: LIBVIPS_TIMEOUT_SECONDS })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  if (format !== FORMATS[contentType] || info.width !== expected.width || info.height !== expected.height) {
    throw new Error(`encoded ${format} of ${info.width} x ${info.height} has another size or format than its source`);
  }
}
