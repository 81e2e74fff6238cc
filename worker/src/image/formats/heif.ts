import { readFile } from 'node:fs/promises';
import { IMAGE_LIMITS } from '@clearframe/contract';
import sharp from 'sharp';
import { profileOfCode } from '../cicp.js';
import { decodeInThread, imageOf, threadUrl } from '../decoder-thread.js';
import { InvalidImageError } from '../errors.js';
import { parseExif } from '../exif.js';
import { colorPolicy, type ImageFormat, readHeader, readStart, sizeOf } from './format.js';
import { readIsobmff } from './heif-boxes.js';

const THREAD = threadUrl(import.meta.url, 'heif-thread');

/** AVIF by libvips, whose libheif lacks HEVC: that is read by libheif in WebAssembly. */
export const heif: ImageFormat = {
  accepts: ['image/heic', 'image/heif', 'image/avif'],
  probe: async ({ path, contentType }) => {
    const source = contentType === 'image/avif' && (await isSequence(path)) ? stillOf(await readFile(path)) : path;
    const boxes = await readIsobmff(path);
    const header = await readHeader(source, 'heif').catch((error) => {
      // libheif refuses the header of a very large picture.
      const isLarge = boxes.pixels > IMAGE_LIMITS.maxPixels;
      throw isLarge ? new InvalidImageError('uploads.too_many_pixels', { cause: error }) : error;
    });
    const { isWhole, isNarrowGray, isPremultiplied } = boxes;
    const { icc, reading } = colorPolicy(
      header,
      header.icc ?? (boxes.color && profileOfCode(boxes.color)) ?? undefined,
    );
    const more = { icc, exif: header.exif ? parseExif(header.exif) : null, isNarrowGray, isPremultiplied };
    const page = header.pagePrimary ?? 0;
    return {
      ...sizeOf(header),
      isWhole,
      open: async (signal) => ({
        image:
          header.compression === 'hevc'
            ? imageOf(await decodeInThread(THREAD, path, signal))
            : sharp(source, { ...reading, page }),
        ...more,
      }),
    };
  },
};

/** libvips rejects animated AVIF. */
const SEQUENCE_BRAND = 'avis';
const STILL_BRAND = 'avif';
const BRAND_AT = 8;

const isSequence = async (path: string): Promise<boolean> =>
  (await readStart(path, BRAND_AT + SEQUENCE_BRAND.length)).toString('latin1', BRAND_AT) === SEQUENCE_BRAND;

/** An animated AVIF also has its first frame as a still picture. */
function stillOf(file: Buffer): Buffer {
  file.write(STILL_BRAND, BRAND_AT, 'latin1');
  return file;
}
