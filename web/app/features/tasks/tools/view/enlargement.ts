import type { MediaDetails } from './tools-view';

/** Long sides in pixels, before and after; null for a picture that wasn't enlarged. */
export function enlargementOf({
  originalSize,
  resultSize,
}: Pick<MediaDetails, 'originalSize' | 'resultSize'>): { readonly from: number; readonly to: number } | null {
  if (!originalSize) return null;
  const from = Math.max(originalSize.width, originalSize.height);
  const to = Math.max(resultSize.width, resultSize.height);
  return from < to ? { from, to } : null;
}
