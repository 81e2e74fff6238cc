import { availableParallelism } from 'node:os';
import { IMAGE_LIMITS } from '@clearframe/contract';
import sharp, { type SharpOptions } from 'sharp';

/** The decoders we want, and SVG for the watermark, which is never fed a visitor's bytes. Everything else is shut. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Tiff', 'Heif', 'Svg'];

/** Set once for the process: no cache of old pictures, few threads, no loader that nobody needs. */
export function configureLibvips(): void {
  sharp.cache(false);
  sharp.concurrency(Math.min(2, availableParallelism()));
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}`) });
}

/** A picture that takes longer than this to decode or encode was made to. */
export const LIBVIPS_TIMEOUT_SECONDS = 60;

/**
 * How strangers' files are opened: the first page or frame, within the pixel cap. `error` refuses files that end early or
 * are damaged inside, and lets pass what libraries only grumble about (stray bytes between JPEG segments, odd chunks),
 * which complete real-world files are full of. Tried on cut, zeroed and flipped files of every format.
 */
export const READING: SharpOptions = {
  failOn: 'error',
  limitInputPixels: IMAGE_LIMITS.maxPixels,
  pages: 1,
  page: 0,
  sequentialRead: true,
};
