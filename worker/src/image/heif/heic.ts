import { type DecodedSamples, decodeInThread, threadUrl } from '../picture/decoder-thread.js';

const THREAD = threadUrl(import.meta.url, 'heic-thread');

/** @throws InvalidImageError for a picture that is damaged or takes too long */
export const decodeHeic = (path: string, signal: AbortSignal): Promise<DecodedSamples> =>
  decodeInThread(THREAD, path, signal);
