import type { Box, Raster } from '../../rasters/raster.js';

/** Relative to coarse scales, the level below which detail is lost. */
const FALLOFF = 0.45;
/**
 * A cubic enlargement crosses {@link FALLOFF} at about this many periods of its finest detail. Portraits blurred,
 * reduced 2, 4 and 8 times and enlarged again measure 1.4 to 2.3, 3.5 to 5.0 and 6.3 to 7.8.
 */
const CROSSING_PER_SOFTNESS = 1.55;
/** Quarter octaves of the period in pixels. */
const STEP = 2 ** 0.25;
const MAX_SOFTNESS = 10;
/** Shortest periods in pixels of octaves that may have more contrast than coarse scales. */
const MIDDLE_OCTAVES = [4, 5.7, 8, 11.3, 16];
/** Times that of coarse scales. */
const MOST_MIDDLE = 1.5;
const LONGEST_SEGMENT = 256;
const SHORTEST_SEGMENT = 32;
/** Enough for a steady mean. */
const MAX_SEGMENTS = 400;

/**
 * Pixels per pixel of detail: 1 is sharp; 4 means a quarter of the size would show as much. Natural scenes have about
 * equal contrast in every octave; blur and enlargement remove it above some frequency.
 */
export function measureSoftness(picture: Raster, box: Box): number {
  const length = segmentLength(Math.min(box.width, box.height));
  if (length < SHORTEST_SEGMENT) return 1;
  const power = meanPower(picture, box, length);
  // With equal contrast per octave, power falls with the square of the frequency.
  const level = (from: number, to: number): number => {
    let sum = 0;
    let bins = 0;
    for (let bin = Math.max(1, Math.ceil(from * length)); bin <= Math.floor(to * length); bin++) {
      sum += (power[bin] ?? 0) * bin * bin;
      bins++;
    }
    return bins === 0 ? Number.NaN : Math.sqrt(sum / bins);
  };
  const coarse = level(2 / length, 8 / length);
  // Foliage, gravel and waves have more contrast in the middle. A pattern has much more, and says nothing of finer detail.
  const middle = MIDDLE_OCTAVES.map((period) => level(0.5 / period, 1 / period)).filter((one) => one > 0);
  const reference = Math.min(MOST_MIDDLE * coarse, Math.max(coarse, ...middle));
  if (!(reference > 0)) return 1;
  let previous = Number.NaN;
  for (let cutoff = 1; cutoff <= MAX_SOFTNESS * CROSSING_PER_SOFTNESS; cutoff *= STEP) {
    const relative = level(0.5 / (cutoff * STEP), 0.5 / cutoff) / reference;
    if (Number.isNaN(relative)) continue;
    if (relative >= FALLOFF) {
      // The level is about linear in the logarithm of the period.
      const past = Number.isNaN(previous) ? 0 : (relative - FALLOFF) / Math.max(1e-6, relative - previous);
      const softness = (cutoff * STEP ** (0.5 - past)) / CROSSING_PER_SOFTNESS;
      return Math.min(MAX_SOFTNESS, Math.max(1, softness));
    }
    previous = relative;
  }
  return MAX_SOFTNESS;
}

function segmentLength(side: number): number {
  return Math.min(LONGEST_SEGMENT, 2 ** Math.floor(Math.log2(side)));
}

/** Averages the spectra of rows and columns that are spread evenly over the box. */
function meanPower(picture: Raster, box: Box, length: number): Float64Array {
  const power = new Float64Array(length / 2 + 1);
  const transform = new SegmentTransform(length);
  for (const [dx, dy, along, across] of [
    [1, 0, box.width, box.height],
    [0, 1, box.height, box.width],
  ] as const) {
    const perLine = Math.max(1, Math.floor((2 * along) / length) - 1);
    const lines = Math.min(across, Math.max(1, Math.floor(MAX_SEGMENTS / 2 / perLine)));
    for (let line = 0; line < lines; line++) {
      const offset = Math.floor(((line + 0.5) * across) / lines);
      for (let segment = 0; segment < perLine; segment++) {
        const start = perLine === 1 ? (along - length) >> 1 : Math.floor(((along - length) * segment) / (perLine - 1));
        transform.add(power, picture, box.x + (dx ? start : offset), box.y + (dy ? start : offset), dx, dy);
      }
    }
  }
  return power;
}

/** Windowed Fourier transforms with reused buffers. */
class SegmentTransform {
  readonly #length: number;
  readonly #real: Float64Array;
  readonly #imaginary: Float64Array;
  readonly #window: Float64Array;
  readonly #cosines: Float64Array;
  readonly #sines: Float64Array;

  constructor(length: number) {
    this.#length = length;
    this.#real = new Float64Array(length);
    this.#imaginary = new Float64Array(length);
    // Hann window: a jump between a segment's ends would look like fine detail.
    this.#window = Float64Array.from({ length }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / length));
    this.#cosines = Float64Array.from({ length: length / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / length));
    this.#sines = Float64Array.from({ length: length / 2 }, (_, i) => -Math.sin((2 * Math.PI * i) / length));
  }

  /** Segment from x, y in direction dx, dy. */
  add(power: Float64Array, picture: Raster, x: number, y: number, dx: number, dy: number): void {
    const { width, data } = picture;
    const real = this.#real;
    const step = (dy * width + dx) * 3;
    let mean = 0;
    for (let i = 0, at = (y * width + x) * 3; i < this.#length; i++, at += step) {
      const value = 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);
      real[i] = value;
      mean += value;
    }
    mean /= this.#length;
    for (let i = 0; i < this.#length; i++) real[i] = ((real[i] ?? 0) - mean) * (this.#window[i] ?? 0);
    this.#imaginary.fill(0);
    this.#transform();
    for (let bin = 0; bin < power.length; bin++) {
      power[bin] = (power[bin] ?? 0) + (real[bin] ?? 0) ** 2 + (this.#imaginary[bin] ?? 0) ** 2;
    }
  }

  /** Iterative radix-2, in place. */
  #transform(): void {
    const length = this.#length;
    const real = this.#real;
    const imaginary = this.#imaginary;
    for (let i = 1, j = 0; i < length; i++) {
      let bit = length >> 1;
      for (; j & bit; bit >>= 1) j ^= bit;
      j ^= bit;
      // The imaginary part is still zero.
      if (i < j) [real[i], real[j]] = [real[j] ?? 0, real[i] ?? 0];
    }
    for (let size = 2; size <= length; size <<= 1) {
      const half = size >> 1;
      const stride = length / size;
      for (let start = 0; start < length; start += size) {
        for (let k = 0; k < half; k++) {
          const cosine = this.#cosines[k * stride] ?? 0;
          const sine = this.#sines[k * stride] ?? 0;
          const low = start + k;
          const high = low + half;
          const re = (real[high] ?? 0) * cosine - (imaginary[high] ?? 0) * sine;
          const im = (real[high] ?? 0) * sine + (imaginary[high] ?? 0) * cosine;
          real[high] = (real[low] ?? 0) - re;
          imaginary[high] = (imaginary[low] ?? 0) - im;
          real[low] = (real[low] ?? 0) + re;
          imaginary[low] = (imaginary[low] ?? 0) + im;
        }
      }
    }
  }
}
