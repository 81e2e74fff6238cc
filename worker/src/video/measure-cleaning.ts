import { ramp } from '../rasters/ramp.js';
import { softFraction } from '../tools/restoration/denoise.js';
import { measureBlockiness, measureNoise } from '../tools/restoration/noise.js';
import { measureSoftness } from '../tools/restoration/softness.js';
import type { Cleaning } from './filters.js';
import { type Frame, lumaOf, toRaster } from './frame.js';

/** Noise in levels that a camera leaves in every picture. */
const USUAL_NOISE = 0.6;
/** Blockiness from which blocks are smoothed; see `measureBlockiness`. */
const BLOCKY = 1.1;
/** Sharpening of a soft video; a sharp one would only flicker more. Measured in bench/results/choices.md. */
const SHARPENING = 0.3;
/** Sharpening brings noise back. */
const NOISY = { from: 2, to: 8, kept: 0.4 } as const;

/** Quantizer from which compression shows; and where softness is its own from, which sharpening would make worse. */
const COMPRESSED = 30;
const DAMAGED = { from: 30, to: 36 } as const;

/**
 * Measures one set of strengths for a whole video: changing ones would flicker.
 * @param quantizer see `readQuantizer`
 */
export function measureCleaning(samples: readonly Frame[], quantizer: number | null, strength: number): Cleaning {
  const repeats = samples.flatMap((frame) => measureRepeatedPixels(lumaOf(frame), frame.width, frame.height) ?? []);
  const repeated = repeats.length > 0 ? Math.min(...repeats) : 1;
  const measured = samples.map((frame) => {
    const { width, height } = frame;
    const softness = measureSoftness(toRaster(frame, true), { x: 0, y: 0, width, height });
    const luma = Float32Array.from(lumaOf(frame));
    const soft = repeated > 1 ? 1 : softFraction(softness);
    return { soft, noise: measureNoise(luma, width, height, soft), blockiness: measureBlockiness(luma, width, height) };
  });
  const noise = median(measured.map((each) => each.noise));
  const soft = median(measured.map((each) => each.soft));
  const noisy = Math.max(0, Math.min(1, (noise - NOISY.from) / (NOISY.to - NOISY.from)));
  const sharpening = SHARPENING * soft * (1 - (1 - NOISY.kept) * noisy);
  const isBlocky = repeated === 1 && median(measured.map((each) => each.blockiness)) > BLOCKY;
  return {
    noise: Math.max(0, noise - USUAL_NOISE) * strength,
    isBlocky,
    isCompressed: repeated === 1 && (quantizer === null ? isBlocky : quantizer >= COMPRESSED),
    sharpening: sharpening * (1 - ramp(quantizer ?? 0, DAMAGED.from, DAMAGED.to)) * strength,
    repeated,
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** Sides of repeated pixels that are looked for, largest first: four times as many contain those of two. */
const SIDES = [4, 3, 2] as const;
/** A multiple of all sides. */
const PERIOD = 12;
/**
 * Largest mean step within repeated pixels relative to the smallest between them: .2 to .45 after x264, .7 for smooth
 * enlargements, else about 1.
 */
const REPEATED = 0.5;
/** Mean step in levels below which a frame is too flat to say. */
const FLAT = 0.3;

/**
 * Side of the squares of equal pixels that an enlargement without smoothing leaves: 1 for none, null for a flat frame.
 * Sharp edges show no more detail than the small original.
 */
export function measureRepeatedPixels(luma: Uint8Array, width: number, height: number): number | null {
  const [across, down] = [new Float64Array(PERIOD), new Float64Array(PERIOD)];
  for (let y = 1; y < height; y++) {
    for (let x = 1, at = y * width + 1; x < width; x++, at++) {
      const own = luma[at] as number;
      across[x % PERIOD] = (across[x % PERIOD] as number) + Math.abs(own - (luma[at - 1] as number));
      down[y % PERIOD] = (down[y % PERIOD] as number) + Math.abs(own - (luma[at - width] as number));
    }
  }
  const pixels = (width * height) / PERIOD;
  const steps = [across, down].map((sums) => sums.map((sum) => sum / pixels));
  if (steps.some((each) => mean(each) < FLAT)) return null;
  return SIDES.find((side) => width % side === 0 && height % side === 0 && steps.every(isRepeatedBy(side))) ?? 1;
}

/** `steps`: mean step to the pixel before, by position in the period. */
const isRepeatedBy = (side: number) => (steps: Float64Array) =>
  Math.max(...steps.filter((_, at) => at % side !== 0)) <
  REPEATED * Math.min(...steps.filter((_, at) => at % side === 0));

const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
