import sharp from 'sharp';
import { parseExif } from '../metadata/exif.js';
import { usableRgbProfile } from '../metadata/icc.js';
import { InvalidImageError } from '../picture/errors.js';
import { LIBVIPS_TIMEOUT_SECONDS, READING } from '../picture/libvips.js';
import type { OpenedImage } from '../picture/opened.js';
import { writeCmykTiff } from './cmyk-tiff.js';
import { psdAsTiff } from './psd-as-tiff.js';
import { readPsdLayout } from './psd-layout.js';

/**
 * Opens the merged picture.
 * @throws InvalidImageError if the document has none
 */
export async function openPsd(document: Buffer): Promise<OpenedImage> {
  const layout = readPsdLayout(document);
  if (layout && !layout.hasMergedPicture) throw new InvalidImageError('uploads.layers_only');
  const tiff = layout && psdAsTiff(document, layout);
  if (!layout || !tiff) throw new InvalidImageError('uploads.undecodable');
  const { mode, bitsPerSample } = layout.header;
  const exif = layout.exif && parseExif(layout.exif);
  if (mode === 'cmyk') {
    return { image: sharp(await invertInk(tiff, bitsPerSample, layout.icc), READING), icc: null, exif };
  }
  if (mode === 'lab') return { image: sharp(tiff, { ...READING, ignoreIcc: true }), icc: null, exif, isLab: true };
  const icc = mode === 'rgb' ? usableRgbProfile(layout.icc ?? undefined) : null;
  const image = sharp(tiff, { ...READING, ignoreIcc: icc !== null });
  const isGrayFloat = mode === 'gray' && bitsPerSample === 32;
  return { image, icc, exif, isMattedWithWhite: layout.hasTransparency, isGrayFloat };
}

/** Photoshop stores CMYK inverted, TIFF as ink. */
async function invertInk(tiff: Buffer, bitsPerSample: number, icc: Buffer | null): Promise<Buffer> {
  const isDeep = bitsPerSample === 16;
  const { data, info } = await sharp(tiff, { ...READING, ignoreIcc: true })
    .pipelineColourspace('cmyk')
    .toColourspace('cmyk')
    .timeout({ seconds: LIBVIPS_TIMEOUT_SECONDS })
    .raw({ depth: isDeep ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const inverted = isDeep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  return writeCmykTiff(info.width, info.height, inverted, info.channels, icc);
}
