import sharp from 'sharp';
import { parseExif } from '../metadata/exif.js';
import { usableRgbProfile } from '../metadata/icc.js';
import { openCmyk } from '../picture/cmyk.js';
import { InvalidImageError } from '../picture/errors.js';
import { READING } from '../picture/libvips.js';
import type { OpenedImage } from '../picture/opened.js';
import { flattenLayers } from './flatten-layers.js';
import { psdAsTiff } from './psd-as-tiff.js';
import { readPsdLayout } from './psd-layout.js';

/**
 * Opens the merged picture, or one composed of the layers.
 * @throws InvalidImageError if neither is possible
 */
export async function openPsd(file: Buffer, signal: AbortSignal): Promise<OpenedImage> {
  const found = readPsdLayout(file);
  const flattened = found && !found.hasMergedPicture ? await flattenLayers(found, signal) : null;
  if (found && !found.hasMergedPicture && !flattened) throw new InvalidImageError('uploads.layers_only');
  const { document, layout } = flattened ?? { document: file, layout: found };
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
  const opened = { image, icc, exif, isMattedWithWhite: layout.hasTransparency && !flattened };
  if (mode !== 'gray' || bitsPerSample !== 32) return opened;
  return { ...opened, floats: { colors: 1, isLinear: true, hasAlpha: layout.hasTransparency } };
}
