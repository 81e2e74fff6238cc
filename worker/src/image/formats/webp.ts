import sharp from 'sharp';
import { parseExif } from '../exif.js';
import { colorPolicy, type ImageFormat, readHeader, sizeOf } from './format.js';

export const webp: ImageFormat = {
  accepts: ['image/webp'],
  probe: async ({ path }) => {
    const header = await readHeader(path, 'webp');
    const { icc, reading } = colorPolicy(header);
    const exif = header.exif ? parseExif(header.exif) : null;
    return { ...sizeOf(header), isWhole: true, open: async () => ({ image: sharp(path, reading), icc, exif }) };
  },
};
