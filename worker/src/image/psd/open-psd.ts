import sharp from 'sharp';
import { parseExif } from '../metadata/exif.js';
import { usableRgbProfile } from '../metadata/icc.js';
import { openCmyk } from '../picture/cmyk.js';
import { InvalidImageError } from '../picture/errors.js';
import { READING } from '../picture/libvips.js';
import type { OpenedImage } from '../picture/opened.js';
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
    const isDeep = bitsPerSample === 16;
    const options = { isInverted: true, hasAlpha: layout.hasTransparency, icc: layout.icc };
    const image = await openCmyk(sharp(tiff, { ...READING, ignoreIcc: true }), isDeep, options);
    return { image, icc: null, exif, isMattedWithWhite: layout.hasTransparency };
  }
  if (mode === 'lab') return { image: sharp(tiff, { ...READING, ignoreIcc: true }), icc: null, exif, isLab: true };
  const icc = mode === 'rgb' ? usableRgbProfile(layout.icc ?? undefined) : null;
  const image = sharp(tiff, { ...READING, ignoreIcc: icc !== null });
  const opened = { image, icc, exif, isMattedWithWhite: layout.hasTransparency };
  if (mode !== 'gray' || bitsPerSample !== 32) return opened;
  return { ...opened, floats: { kind: 'gray', hasAlpha: layout.hasTransparency } };
}
