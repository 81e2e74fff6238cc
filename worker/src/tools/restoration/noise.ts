import { ramp } from '../../rasters/ramp.js';
import { BLOCK, blockStarts, forward } from './dct-shrinkage.js';

/** Enough for a steady quantile. */
const MAX_BLOCKS = 4000;
/**
 * The calmest tenth of blocks shows noise, not texture, unless the very calmest (sky above a brick wall) are calmer:
 * noise alone varies by less than this between the two.
 */
const CALM = 0.1;
const CALMEST_BLOCKS = 0.02;
const SPREAD = 2;
/**
 * Bands by the sum of block coordinates. Noise that was resized and compressed has lost the finest band; in sharp
 * pictures the finest band separates noise from texture best.
 */
const SOFT_BAND = [5, 6] as const;
const SHARP_BAND = [7, 8] as const;
/**
 * Texture is stronger in this coarser band, noise is not: the calmest blocks of sharp fur measure 2.3 times their soft
 * band, with noise of 14 levels 1.2 times. Such a ratio counts as pure texture. Soft pictures vary more (clean 2.6 to
 * 6.5, noisy 1.9 to 3.8), so less is subtracted.
 */
const COARSE_BAND = [2, 3] as const;
const SOFT_TEXTURE = 8;
const SHARP_TEXTURE = 2.6;
/**
 * Sharp pictures: blocks beyond are skipped if enough remain, because clipping halves noise and a dark suit looks like
 * a calm wall. In soft pictures skipping cost similarity.
 */
const DARKEST = 32;
const LIGHTEST = 240;
const MIN_BLOCKS = 100;
/**
 * JPEG may have removed the finest band of noise that the middle band shows. Only sharp texture is this much weaker
 * there than in the coarse band. Grain below the lower bound belongs to the picture.
 */
const CUT_TEXTURE = 1.9;
const CUT = { from: 1.8, to: 2.8 } as const;
/**
 * Noise fills every part of a block, letters on a page don't. In the calmest quarter of a block, of 16 pixels, noise measures .7 of its
 * deviation.
 */
const PART = BLOCK / 2;
const PER_CALMEST_PART = 1.5;
/** What rounding and ordinary compression alone measure. */
const FLOOR = 0.45;
/** Factors from the measure to standard deviations, fitted to added noise of 3, 8, 10 and 15 levels. */
const SOFT_SCALE = 2.65;
const SHARP_SCALE = 1.5;

/** Standard deviation in levels; 0 for a clean plane. `soft` (0..1): how far it was enlarged or blurred. */
export function measureNoise(plane: Float32Array, width: number, height: number, soft: number): number {
  if (width < BLOCK || height < BLOCK) return 0;
  const step = Math.max(4, Math.sqrt((width * height) / MAX_BLOCKS));
  const columns = blockStarts(width, Math.round(step));
  const all = new Bands();
  const lit = new Bands();
  const block = new Float64Array(BLOCK * BLOCK);
  for (const top of blockStarts(height, Math.round(step))) {
    for (const left of columns) {
      for (let at = 0; at < block.length; at++) {
        block[at] = plane[(top + (at >> 3)) * width + left + (at & 7)] ?? 0;
      }
      const calmest = deviationOfCalmestPart(block);
      forward(block);
      all.add(block, calmest);
      const level = (block[0] ?? 0) / BLOCK;
      if (level >= DARKEST && level <= LIGHTEST) lit.add(block, calmest);
    }
  }
  const fromSharp = noiseOfSharp(lit.size < MIN_BLOCKS ? all : lit);
  if (soft === 0) return fromSharp;
  const { coarse, middle } = all.low();
  const fromSoft = SOFT_SCALE * Math.max(0, withoutTexture(middle, coarse, SOFT_TEXTURE) - FLOOR);
  return fromSharp + (fromSoft - fromSharp) * soft;
}

function noiseOfSharp(bands: Bands): number {
  const { coarse, middle, fine, calmest } = bands.low();
  const fromFine = SHARP_SCALE * Math.max(0, withoutTexture(fine, coarse, SHARP_TEXTURE) - FLOOR);
  const left = withoutTexture(middle, coarse, CUT_TEXTURE);
  const fromCut = SHARP_SCALE * Math.max(0, left - FLOOR) * ramp(left, CUT.from, CUT.to);
  return Math.min(Math.max(fromFine, fromCut), PER_CALMEST_PART * calmest);
}

function deviationOfCalmestPart(block: Float64Array): number {
  let least = Number.POSITIVE_INFINITY;
  for (const corner of [0, PART, PART * BLOCK, PART * (BLOCK + 1)]) {
    let sum = 0;
    let squares = 0;
    for (let row = corner; row < corner + PART * BLOCK; row += BLOCK) {
      for (let at = row; at < row + PART; at++) {
        const value = block[at] as number;
        sum += value;
        squares += value * value;
      }
    }
    least = Math.min(least, squares - (sum * sum) / PART ** 2);
  }
  return Math.sqrt(Math.max(0, least) / (PART ** 2 - 1));
}

/** With noise n and texture t, the band is n² + t² and the coarse one n² + (ratio t)². */
function withoutTexture(band: number, coarse: number, ratio: number): number {
  const square = (ratio ** 2 * band ** 2 - coarse ** 2) / (ratio ** 2 - 1);
  return Math.sqrt(Math.min(band ** 2, Math.max(0, square)));
}

/** Root mean square of a band. */
function strength(block: Float64Array, [from, to]: readonly [number, number]): number {
  let sum = 0;
  let count = 0;
  for (let v = 0; v < BLOCK; v++) {
    for (let u = Math.max(0, from - v); u <= Math.min(BLOCK - 1, to - v); u++, count++) {
      sum += (block[v * BLOCK + u] ?? 0) ** 2;
    }
  }
  return Math.sqrt(sum / count);
}

/** Strengths of blocks in each band, and the standard deviations of their calmest parts. */
class Bands {
  readonly #coarse: number[] = [];
  readonly #middle: number[] = [];
  readonly #fine: number[] = [];
  readonly #calmest: number[] = [];

  get size(): number {
    return this.#coarse.length;
  }

  add(block: Float64Array, calmest: number): void {
    this.#calmest.push(calmest);
    this.#coarse.push(strength(block, COARSE_BAND));
    this.#middle.push(strength(block, SOFT_BAND));
    this.#fine.push(strength(block, SHARP_BAND));
  }

  low() {
    const [coarse, middle, fine] = [
      lowPercentile(this.#coarse),
      lowPercentile(this.#middle),
      lowPercentile(this.#fine),
    ];
    const calmest = this.#calmest.sort((a, b) => a - b)[Math.floor(this.#calmest.length * CALM)] ?? 0;
    return { coarse, middle, fine, calmest };
  }
}

function lowPercentile(values: number[]): number {
  values.sort((a, b) => a - b);
  const at = (part: number) => values[Math.floor(values.length * part)] ?? 0;
  return Math.min(at(CALM), SPREAD * at(CALMEST_BLOCKS));
}

/**
 * Mean step across JPEG block borders minus the steps beside them, in levels. About 0 if never compressed, or resized
 * since.
 */
export function measureBlockiness(plane: Float32Array, width: number, height: number): number {
  const across = excessAtBorders(plane, width, height, 1, width);
  const down = excessAtBorders(plane, height, width, width, 1);
  return Math.max(0, Math.min(across, down));
}

function excessAtBorders(plane: Float32Array, along: number, lines: number, step: number, line: number): number {
  const sums = new Float64Array(BLOCK);
  const counts = new Float64Array(BLOCK);
  const every = Math.max(1, Math.floor((along * lines) / 400_000));
  for (let row = 0; row < lines; row += every) {
    for (let x = 1, at = row * line + step; x < along; x++, at += step) {
      const jump = Math.abs((plane[at] ?? 0) - (plane[at - step] ?? 0));
      // Strong edges belong to the picture.
      if (jump > STRONG_EDGE) continue;
      sums[x & 7] = (sums[x & 7] ?? 0) + jump;
      counts[x & 7] = (counts[x & 7] ?? 0) + 1;
    }
  }
  const mean = (phase: number) => (sums[phase & 7] ?? 0) / Math.max(1, counts[phase & 7] ?? 0);
  const excess = (phase: number) =>
    mean(phase) - (mean(phase + 1) + mean(phase + 2) + mean(phase + 6) + mean(phase + 7)) / 4;
  return Math.max(...Array.from({ length: BLOCK }, (_, phase) => excess(phase)));
}

const STRONG_EDGE = 40;
