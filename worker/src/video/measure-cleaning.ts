import { softFraction } from '../tools/restoration/denoise.js';
import { measureBlockiness, measureNoise } from '../tools/restoration/noise.js';
import { measureDetail } from '../tools/restoration/softness.js';
import type { Cleaning } from './filters.js';
import { type Frame, lumaOf } from './frame.js';
import { measureRepeatedPixels } from './repeated-pixels.js';
import { toRaster } from './rgb.js';

/** Noise in levels that a camera leaves in every picture. */
const USUAL_NOISE = 0.6;
/** Blockiness from which blocks are smoothed; see `measureBlockiness`. */
const BLOCKY = 1.1;
/** Sharpening of a soft video; a sharp one would only flicker more. Measured in bench/results/choices.md. */
const SHARPENING = 0.15;
/** Sharpening brings noise back. */
const NOISY = { from: 2, to: 8, kept: 0.4 } as const;

/** Measures one set of strengths for a whole video: changing ones would flicker. */
export function measureCleaning(samples: readonly Frame[], strength: number): Cleaning {
  const repeats = samples.flatMap((frame) => measureRepeatedPixels(lumaOf(frame), frame.width, frame.height) ?? []);
  const repeated = repeats.length > 0 ? Math.min(...repeats) : 1;
  const measured = samples.map((frame) => {
    const { width, height } = frame;
    const { softness } = measureDetail(toRaster(frame, true), { x: 0, y: 0, width, height });
    const luma = Float32Array.from(lumaOf(frame));
    const soft = repeated > 1 ? 1 : softFraction(softness);
    return { soft, noise: measureNoise(luma, width, height, soft), blockiness: measureBlockiness(luma, width, height) };
  });
  const noise = median(measured.map((each) => each.noise));
  const soft = median(measured.map((each) => each.soft));
  const noisy = Math.max(0, Math.min(1, (noise - NOISY.from) / (NOISY.to - NOISY.from)));
  const sharpening = SHARPENING * soft * (1 - (1 - NOISY.kept) * noisy);
  return {
    noise: Math.max(0, noise - USUAL_NOISE) * strength,
    isBlocky: repeated === 1 && median(measured.map((each) => each.blockiness)) > BLOCKY,
    sharpening: sharpening * strength,
    repeated,
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
