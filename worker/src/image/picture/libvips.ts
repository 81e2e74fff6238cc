import { availableParallelism } from 'node:os';
import { IMAGE_LIMITS } from '@clearframe/contract';
import sharp, { type SharpOptions } from 'sharp';

/** The decoders in use. SVG is for the watermark and never gets uploaded bytes. All others are blocked. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Tiff', 'Heif', 'Svg'];

/** Process-wide settings: no cache, few threads, no unused loaders. */
export function configureLibvips(): void {
  sharp.cache(false);
  sharp.concurrency(Math.min(2, availableParallelism()));
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}`) });
}

/** Pictures that take longer to decode or encode are malicious. */
export const LIBVIPS_TIMEOUT_SECONDS = 60;

/**
 * Options for uploaded files: first page or frame, within the pixel limit. `error` rejects truncated and damaged files,
 * and accepts what libraries only warn about (stray bytes between JPEG segments, odd chunks), which is common in
 * complete files. Tested on cut, zeroed and flipped files of every format.
 */
export const READING: SharpOptions = {
  failOn: 'error',
  limitInputPixels: IMAGE_LIMITS.maxPixels,
  pages: 1,
  page: 0,
  sequentialRead: true,
};
