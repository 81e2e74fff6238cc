import { fileURLToPath } from 'node:url';
import { inMilliseconds } from '@clearframe/contract';
import { Piscina } from 'piscina';
import sharp, { type Sharp } from 'sharp';
import { z } from 'zod';
import { InvalidImageError } from '../errors.js';
import { LIBVIPS_TIMEOUT_SECONDS } from '../libvips.js';
import { type OpenedImage, usableRgbProfile } from './format.js';

/** 48 megapixels of HEVC take about 6 s on one core. */
const TIMEOUT_MS = inMilliseconds.seconds(LIBVIPS_TIMEOUT_SECONDS);
/** More than there are jobs at once: no picture waits for another. */
const MAX_THREADS = 128;

/** Threads for decoders in WebAssembly, which block for seconds. Each ends after its picture, which frees its memory. */
const threads = new Piscina({
  minThreads: 0,
  maxThreads: MAX_THREADS,
  idleTimeout: 0,
  resourceLimits: { maxOldGenerationSizeMb: 256 },
});

const Decoded = z.object({
  width: z.int().positive(),
  height: z.int().positive(),
  /** RGBA, upright. */
  samples: z.instanceof(Uint8Array),
  icc: z.instanceof(Uint8Array).optional(),
});

interface Decoders {
  'heif-thread': string;
  'fallback-thread': { readonly file: string | Uint8Array; readonly format: 'JPEG' | 'TIFF' | 'PSD' };
}

async function decode<Name extends keyof Decoders>(name: Name, input: Decoders[Name], signal: AbortSignal) {
  // TypeScript when run from sources.
  const script = new URL(`${name}.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    return Decoded.parse(
      await threads.run(input, { filename: fileURLToPath(script), name: 'decode', signal: deadline }),
    );
  } catch (cause) {
    signal.throwIfAborted();
    throw new InvalidImageError('uploads.undecodable', { cause });
  }
}

const imageOf = ({ width, height, samples }: z.infer<typeof Decoded>): Sharp =>
  sharp(samples, { raw: { width, height, channels: 4 } });

/** @throws InvalidImageError for a picture that is damaged or takes too long */
export const openHevc = async (path: string, signal: AbortSignal): Promise<Sharp> =>
  imageOf(await decode('heif-thread', path, signal));

/**
 * What neither libvips nor libheif reads: by ImageMagick in WebAssembly, in 8 bits, upright, in the file's own RGB; other colors become sRGB.
 * The layers of a Photoshop document are flattened. The caller has checked the size in pixels.
 * @param file path or bytes
 * @throws InvalidImageError for a picture that is damaged, of a kind that ImageMagick does not read either, or takes too long
 */
export async function openByFallback(
  file: string | Uint8Array,
  format: 'JPEG' | 'TIFF' | 'PSD',
  signal: AbortSignal,
): Promise<OpenedImage> {
  const decoded = await decode('fallback-thread', { file, format }, signal);
  return { image: imageOf(decoded), icc: usableRgbProfile(decoded.icc && Buffer.from(decoded.icc)), exif: null };
}
