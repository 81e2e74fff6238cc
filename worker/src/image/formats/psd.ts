import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { openCmyk } from '../cmyk.js';
import { InvalidImageError } from '../errors.js';
import { parseExif } from '../exif.js';
import { usableRgbProfile } from '../icc.js';
import { READING } from '../libvips.js';
import { openByFallback } from './fallback.js';
import { type ImageFormat, type OpenedImage, readStart } from './format.js';
import { psdAsTiff } from './psd-as-tiff.js';
import { PSD_HEADER_BYTES, readPsdHeader, readPsdLayout } from './psd-layout.js';

export const psd: ImageFormat = {
  accepts: ['image/vnd.adobe.photoshop'],
  probe: async ({ path }) => {
    const header = readPsdHeader(await readStart(path, PSD_HEADER_BYTES));
    if (!header) throw new InvalidImageError('uploads.undecodable');
    const { width, height, bitsPerSample } = header;
    const open = async (signal: AbortSignal) => openPsd(await readFile(path), signal);
    return { width, height, isDeep: bitsPerSample > 8, isWhole: true, open };
  },
};

/**
 * Opens the merged picture, or the layers of a document without one.
 * @throws InvalidImageError if neither is possible
 */
async function openPsd(file: Buffer, signal: AbortSignal): Promise<OpenedImage> {
  const layout = readPsdLayout(file);
  if (layout && !layout.hasMergedPicture) {
    const flattened = await openByFallback(file, 'PSD', signal).catch((cause) => {
      signal.throwIfAborted();
      throw new InvalidImageError('uploads.layers_only', { cause });
    });
    return { ...flattened, exif: layout.exif && parseExif(layout.exif) };
  }
  const tiff = layout && psdAsTiff(file, layout);
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
  const isFloat = bitsPerSample === 32;
  // A profile would turn floats of gray black.
  const image = sharp(tiff, { ...READING, ignoreIcc: icc !== null || isFloat });
  const opened = { image, icc, exif, isMattedWithWhite: layout.hasTransparency };
  if (mode !== 'gray' || !isFloat) return opened;
  return { ...opened, floats: { colors: 1, isLinear: true, hasAlpha: layout.hasTransparency } };
}
