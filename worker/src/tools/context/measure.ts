import { fromPlanes } from '../../rasters/planes.js';
import type { Raster } from '../../rasters/raster.js';
import { measureDetail } from '../signal/detail.js';
import { type Assessed, assess, softPart } from '../signal/reclaim.js';
import { shrink } from '../signal/shrink.js';
import type { Work } from './context.js';

/** Noise, in levels, from which it may hide that a picture is blurred, and how many times it is taken out to tell. */
const HIDING_NOISE = 1;
const HIDDEN_BY = 1.4;
/** A picture reduced so many times has so many times less noise, or a little more where JPEG has spread it. */
const NOISE_LEFT = 1.3;

/** What is wrong with a picture. Noise passes for detail: what is noisy is looked at once more without it. */
export async function measurePicture(original: Raster): Promise<Pick<Work, 'assessed' | 'noiseless'>> {
  const whole = { x: 0, y: 0, width: original.width, height: original.height };
  const assessed = await assess(original, measureDetail(original, whole).softness);
  const noiseless = withoutNoise(assessed);
  if (!noiseless) return { assessed, noiseless };
  const { softness } = measureDetail(noiseless, whole);
  if (softPart(softness) === 0) return { assessed, noiseless };
  const { planes, damage } = await assess(original, softness);
  const noise = Math.min(damage.noise, (NOISE_LEFT * assessed.damage.noise) / softness);
  return { assessed: { planes, damage: { ...damage, noise } }, noiseless };
}

/** The picture in grey, rid of more noise than one that somebody is to see; null where hardly any could hide a blur. */
function withoutNoise({ planes, damage }: Assessed): Raster | null {
  if (softPart(damage.softness) > 0 || damage.noise < HIDING_NOISE) return null;
  const { width, height } = planes;
  const luma = shrink(planes.luma, width, height, { noise: HIDDEN_BY * damage.noise, step: 4 });
  const grey = new Float32Array(luma.length);
  return fromPlanes({ width, height, luma, blueDifference: grey, redDifference: grey });
}
