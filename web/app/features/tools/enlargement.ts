import { resultSizeOf } from '@clearframe/contract';
import { OUTPUT_SIZES, type OutputSize, UPSCALE_FACTORS, type UpscaleFactor } from './choices';
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
export function enlargementsFor(
  original: Size | null,
  maxSide: number,
  outputSize: OutputSize | null = null,
): Enlargement[] {
  const unknown = UPSCALE_FACTORS.map((factor): Enlargement => ({ factor, size: null, isCapped: false }));
  if (!original) return unknown;
  const sizeBy = (factor: 1 | 2 | 4): Size =>
    resultSizeOf(original, { upscale: { factor }, ...(outputSize && { outputSize }) }, maxSide);
  const { width } = sizeBy(1);
  const sized = ([1, 2, 4] as const).map((factor): Enlargement => {
    const size = sizeBy(factor);
    return { factor: `${factor}`, size, isCapped: size.width < factor * width };
  });
  const isNew = ({ size }: Enlargement, index: number) => size?.width !== sized[index - 1]?.size?.width;
  return [...unknown.filter(({ factor }) => factor === 'auto'), ...sized.filter(isNew)];
}

/** Sizes that an original larger than a standard result can have, unenlarged; none for others. */
export function outputSizesFor(original: Size | null, maxSide: number): { outputSize: OutputSize; size: Size }[] {
  if (!original || Math.max(original.width, original.height) <= maxSide) return [];
  const upscale = { factor: 1 } as const;
  return OUTPUT_SIZES.map((outputSize) => ({
    outputSize,
    size: resultSizeOf(original, { upscale, outputSize }, maxSide),
  }));
}

/** The choice that gives the same size, where the factor itself is not offered. */
export const offeredFactor = (factor: UpscaleFactor, offered: readonly Enlargement[]): UpscaleFactor =>
  offered.findLast((one) => UPSCALE_FACTORS.indexOf(one.factor) <= UPSCALE_FACTORS.indexOf(factor))?.factor ?? 'auto';
