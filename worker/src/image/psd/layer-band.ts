import type { BlendColor } from './layer-blend.js';

/** Some rows of a picture in floats, 0..1: colors, which transparency does not multiply, and transparency. */
export interface Band {
  readonly width: number;
  readonly top: number;
  readonly rows: number;
  readonly channels: number;
  readonly color: Float32Array;
  readonly alpha: Float32Array;
}

export function createBand({ width, top, rows, channels }: Omit<Band, 'color' | 'alpha'>): Band {
  const pixels = width * rows;
  return { width, top, rows, channels, color: new Float32Array(pixels * channels), alpha: new Float32Array(pixels) };
}

export const copyOf = (band: Band): Band => ({ ...band, color: band.color.slice(), alpha: band.alpha.slice() });

/**
 * Composites `source` over `backdrop` (PDF 32000-1, 11.3.6).
 * @param isClipped the backdrop's transparency stays, and counts as opaque
 */
export function compositeOver(
  backdrop: Band,
  source: Band,
  blend: BlendColor,
  opacity: number,
  isClipped: boolean,
): void {
  const { channels } = backdrop;
  const [below, above, mixed] = [0, 1, 2].map(() => new Float32Array(channels)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  for (let pixel = 0; pixel < backdrop.alpha.length; pixel++) {
    const over = (source.alpha[pixel] ?? 0) * opacity;
    if (over === 0) continue;
    const under = isClipped ? 1 : (backdrop.alpha[pixel] ?? 0);
    const result = over + under - over * under;
    const at = pixel * channels;
    for (let channel = 0; channel < channels; channel++) {
      below[channel] = backdrop.color[at + channel] ?? 0;
      above[channel] = source.color[at + channel] ?? 0;
    }
    blend(below, above, mixed);
    for (let channel = 0; channel < channels; channel++) {
      const added = (1 - under) * (above[channel] ?? 0) + under * (mixed[channel] ?? 0);
      backdrop.color[at + channel] = ((1 - over) * under * (below[channel] ?? 0) + over * added) / result;
    }
    if (!isClipped) backdrop.alpha[pixel] = result;
  }
}

/** Moves `band` towards `target` by the transparency of `share` times `opacity`. */
export function mixTowards(band: Band, target: Band, share: Float32Array, opacity: number): void {
  const { channels } = band;
  for (let pixel = 0; pixel < band.alpha.length; pixel++) {
    const part = (share[pixel] ?? 0) * opacity;
    const [before, after] = [(band.alpha[pixel] ?? 0) * (1 - part), (target.alpha[pixel] ?? 0) * part];
    const result = before + after;
    if (result > 0) {
      for (let at = pixel * channels; at < (pixel + 1) * channels; at++) {
        band.color[at] = ((band.color[at] ?? 0) * before + (target.color[at] ?? 0) * after) / result;
      }
    }
    band.alpha[pixel] = result;
  }
}
