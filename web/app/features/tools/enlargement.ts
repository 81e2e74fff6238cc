import { enlargedSizeOf } from '@clearframe/contract';
import { UPSCALE_FACTORS, type UpscaleFactor } from './choices';
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

type Size = NonNullable<MediaDetails['originalSize']>;

export interface Enlargement {
  readonly factor: UpscaleFactor;
  /** Of the result in pixels; null for the automatic choice, which depends on the tools, and for an unknown original. */
  readonly size: Size | null;
  /** Smaller than the factor says: the longest side that a result may have. */
  readonly isCapped: boolean;
}

/** The sizes that a photo can have, each once. */
export function enlargementsFor(original: Size | null, maxSide: number): Enlargement[] {
  const unknown = UPSCALE_FACTORS.map((factor): Enlargement => ({ factor, size: null, isCapped: false }));
  if (!original) return unknown;
  const scale = Math.min(1, maxSide / Math.max(original.width, original.height));
  const fitted = { width: Math.round(original.width * scale), height: Math.round(original.height * scale) };
  const sized = ([1, 2, 4] as const).map((factor): Enlargement => {
    const size = enlargedSizeOf(fitted, { upscale: { factor } }, maxSide);
    return { factor: `${factor}`, size, isCapped: size.width < factor * fitted.width };
  });
  const isNew = ({ size }: Enlargement, index: number) => size?.width !== sized[index - 1]?.size?.width;
  return [...unknown.filter(({ factor }) => factor === 'auto'), ...sized.filter(isNew)];
}

/** The choice that gives the same size, where the factor itself is not offered. */
export const offeredFactor = (factor: UpscaleFactor, offered: readonly Enlargement[]): UpscaleFactor =>
  offered.findLast((one) => UPSCALE_FACTORS.indexOf(one.factor) <= UPSCALE_FACTORS.indexOf(factor))?.factor ?? 'auto';
