import { Worker } from 'node:worker_threads';
import { inMilliseconds } from '@clearframe/contract';
import sharp, { type Sharp } from 'sharp';
import { z } from 'zod';
import { InvalidImageError } from './errors.js';
import { LIBVIPS_TIMEOUT_SECONDS } from './libvips.js';

/** 48 megapixels of HEVC take about 6 s on one core. */
const TIMEOUT_MS = inMilliseconds.seconds(LIBVIPS_TIMEOUT_SECONDS);

const Decoded = z.object({
  width: z.int().positive(),
  height: z.int().positive(),
  samples: z.instanceof(Uint8Array),
  icc: z.instanceof(Uint8Array).optional(),
});
/** RGBA, upright. */
type DecodedSamples = z.infer<typeof Decoded>;

/**
 * Runs a decoder in WebAssembly, which blocks for seconds, in a thread, whose end frees its memory. The thread gets
 * `input` as `workerData` and posts `DecodedSamples`.
 * @throws InvalidImageError for a picture that is damaged or takes too long
 */
export async function decodeInThread(
  script: URL,
  input: string | object,
  signal: AbortSignal,
): Promise<DecodedSamples> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  // Decoders print warnings, which are not log lines.
  const thread = new Worker(script, {
    workerData: input,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  thread.stdout.resume();
  thread.stderr.resume();
  try {
    return await new Promise<DecodedSamples>((resolve, reject) => {
      thread.once('message', (message) => resolve(Decoded.parse(message)));
      thread.once('error', reject);
      thread.once('exit', () => reject(new Error('the decoder ended without a picture')));
      deadline.addEventListener('abort', () => reject(deadline.reason), { once: true });
    });
  } catch (cause) {
    signal.throwIfAborted();
    throw new InvalidImageError('uploads.undecodable', { cause });
  } finally {
    await thread.terminate();
  }
}

/** A thread's script beside `module`: TypeScript when run from sources. */
export const threadUrl = (module: string, name: string): URL =>
  new URL(`${name}.${module.endsWith('.ts') ? 'ts' : 'js'}`, module);

export const imageOf = ({ width, height, samples }: DecodedSamples): Sharp =>
  sharp(samples, { raw: { width, height, channels: 4 } });
