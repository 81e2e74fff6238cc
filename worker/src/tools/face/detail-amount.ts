import { ramp } from '../../rasters/ramp.js';

/** Exponent of softness in the amount of detail: the network is the more cautious, the softer the face. */
const DETAIL_GROWTH = 0.28;
/**
 * Softness between which the small-face network's result, softer there than the enlarged views, gets up to `most` more
 * detail. Less soft small faces would become crisper than the truth.
 */
const GUIDED_DETAIL = { from: 4.5, to: 8, most: 0.35 } as const;

/**
 * Amount of predicted detail, see `addDetail`.
 * @param detail the model's amount for a softness of 2
 * @param guided share of the small-face network's result, 0..1
 */
export function detailAmount(detail: number, softness: number, guided: number): number {
  const guidedPart = guided * GUIDED_DETAIL.most * ramp(softness, GUIDED_DETAIL.from, GUIDED_DETAIL.to);
  return detail * (Math.max(softness, 2) / 2) ** DETAIL_GROWTH * (1 + guidedPart);
}
