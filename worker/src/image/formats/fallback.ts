import { decodeInThread, imageOf, threadUrl } from '../decoder-thread.js';
import type { OpenedImage } from './format.js';
import { usableRgbProfile } from './format.js';

const THREAD = threadUrl(import.meta.url, 'fallback-thread');

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
  const decoded = await decodeInThread(THREAD, { file, format }, signal);
  return { image: imageOf(decoded), icc: usableRgbProfile(decoded.icc && Buffer.from(decoded.icc)), exif: null };
}
