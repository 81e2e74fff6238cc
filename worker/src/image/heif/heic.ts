import { Worker } from 'node:worker_threads';
import { inMilliseconds } from '@clearframe/contract';
import { z } from 'zod';
import { InvalidImageError } from '../picture/errors.js';

/** 48 megapixels take about 6 s on one core. */
const TIMEOUT_MS = inMilliseconds.seconds(60);

const Decoded = z.object({
  width: z.int().positive(),
  height: z.int().positive(),
  samples: z.instanceof(Uint8Array),
});
/** RGBA, upright: libheif applies rotation and mirroring. */
export type DecodedHeic = z.infer<typeof Decoded>;

/** TypeScript when run from sources. */
const THREAD = new URL(import.meta.url.endsWith('.ts') ? './heic-thread.ts' : './heic-thread.js', import.meta.url);

/**
 * Decodes in a thread, which frees its memory at its end.
 * @throws InvalidImageError for a picture that is damaged or takes too long
 */
export async function decodeHeic(path: string, signal: AbortSignal): Promise<DecodedHeic> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  // libheif prints warnings, which are not log lines.
  const thread = new Worker(THREAD, {
    workerData: path,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  thread.stdout.resume();
  thread.stderr.resume();
  try {
    return await new Promise<DecodedHeic>((resolve, reject) => {
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
