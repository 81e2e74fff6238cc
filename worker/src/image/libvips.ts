import { availableParallelism } from 'node:os';
import { IMAGE_LIMITS } from '@clearframe/contract/media';
import sharp, { type SharpOptions } from 'sharp';

/** Allowed decoders. SVG is for the watermark and never gets uploaded bytes. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Tiff', 'Heif', 'Svg'];

/** Process-wide: no cache, few threads, no unused loaders. */
export function configureLibvips(): void {
  sharp.cache(false);
  sharp.concurrency(Math.min(2, availableParallelism()));
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}`) });
}

/** Slower pictures are malicious, also where a starved machine gives a twentieth of two cores. Less than a job's limit. */
export const LIBVIPS_TIMEOUT_SECONDS = 240;

/**
 * For uploaded files: first page or frame, within the pixel limit. `error` rejects truncated and damaged files but
 * accepts what libraries only warn about (stray bytes between JPEG segments, odd chunks), common in complete files.
 * Tested on truncated, zeroed and flipped files of every format.
 */
export const READING: SharpOptions = {
  failOn: 'error',
  limitInputPixels: IMAGE_LIMITS.maxPixels,
  pages: 1,
  page: 0,
  sequentialRead: true,
};
