import { fromPlanes } from '../../rasters/planes.js';
import type { Raster } from '../../rasters/raster.js';
import type { PipelineContext } from './context.js';
import { shrinkCoefficients } from './dct-shrinkage.js';
import { type Assessment, assess, softFraction } from './denoise.js';
import { measureDetail } from './softness.js';

/** Noise in levels that can hide blur, and the strength at which it is removed to measure again. */
const MIN_HIDING_NOISE = 1;
const HIDING_FACTOR = 1.4;
/** Reduced n times, a picture has 1/n of its noise, or slightly more after JPEG. */
const NOISE_LEFT = 1.3;

/** Noise looks like detail, so a noisy picture is measured again without it. */
export async function measurePicture(original: Raster): Promise<Pick<PipelineContext, 'assessed' | 'noiseless'>> {
  const whole = { x: 0, y: 0, width: original.width, height: original.height };
  const assessed = await assess(original, measureDetail(original, whole).softness);
  const noiseless = withoutNoise(assessed);
  if (!noiseless) return { assessed, noiseless };
  const { softness } = measureDetail(noiseless, whole);
  if (softFraction(softness) === 0) return { assessed, noiseless };
  const { planes, defects } = await assess(original, softness);
  const noise = Math.min(defects.noise, (NOISE_LEFT * assessed.defects.noise) / softness);
  return { assessed: { planes, defects: { ...defects, noise } }, noiseless };
}

/** Luma denoised more than a result would be; null if there is too little noise to hide blur. */
function withoutNoise({ planes, defects }: Assessment): Raster | null {
  if (softFraction(defects.softness) > 0 || defects.noise < MIN_HIDING_NOISE) return null;
  const { width, height } = planes;
  const luma = shrinkCoefficients(planes.luma, width, height, { noise: HIDING_FACTOR * defects.noise, step: 4 });
  const gray = new Float32Array(luma.length);
  return fromPlanes({ width, height, luma, blueDifference: gray, redDifference: gray });
}
