import type { Repair } from '@clearframe/contract/pipeline';
import type { z } from 'zod';
import type { Raster } from '../../rasters/raster.js';
import type { PipelineContext } from '../restoration/context.js';
import { LastResult } from '../restoration/last-result.js';
import { fillHoles } from './fill-holes.js';
import { CAREFUL, type Damage, findDamage } from './find-damage.js';

/** What the models take for a mark at full strength, and how many pixels beyond it they replace. */
const MODELS = {
  base: { thresholds: CAREFUL, margin: 2 },
  v1: { thresholds: { sure: 225, likely: 130 }, margin: 3 },
} as const;
/** Of marks at strength 0, at which hardly anything is one. */
const NOTHING = 255;
/** Seconds per megapixel on two quiet cores; used for progress only. */
export const REPAIR_SECONDS = 1.5;

export interface Repaired extends Pick<Damage, 'area' | 'count'> {
  /** The picture itself if it has no damage. */
  readonly picture: Raster;
}

const lastRepaired = new LastResult<Repaired>();

/** A picture whose damage is filled from its surroundings. Pixels that are not damaged stay as they are. */
export function repairDamage(
  context: Pick<PipelineContext, 'sessions' | 'signal'>,
  picture: Raster,
  { model, strength = 1 }: z.infer<typeof Repair>,
): Promise<Repaired> {
  // Also where the damage was found in an earlier run.
  if (strength > 0) context.sessions.clock.reuse('find-damage');
  return lastRepaired.of(picture, [context.sessions.fingerprint, model, strength], async () => {
    if (strength === 0) return { picture, area: 0, count: 0 };
    const { thresholds, margin } = MODELS[model];
    const at = (threshold: number) => NOTHING + (threshold - NOTHING) * strength;
    const { sure, likely } = thresholds;
    const { marks, area, count } = await findDamage(context, picture, { sure: at(sure), likely: at(likely) });
    if (count === 0) return { picture, area, count };
    const repaired = { ...picture, data: Uint8Array.from(picture.data) };
    const holes = widened(marks, picture, margin);
    await fillHoles(repaired, holes, context.signal);
    softenRims(repaired.data, picture, holes);
    return { picture: repaired, area, count };
  });
}

/** Each mark and what is at most `margin` pixels from it, along rows and columns. */
function widened(marks: Uint8Array, { width, height }: Raster, margin: number): Uint8Array {
  const holes = new Uint8Array(marks.length);
  for (let at = 0; at < marks.length; at++) {
    if (!marks[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    const [left, right] = [Math.max(0, x - margin), Math.min(width - 1, x + margin)];
    for (let row = Math.max(0, y - margin); row <= Math.min(height - 1, y + margin); row++)
      holes.fill(1, row * width + left, row * width + right + 1);
  }
  return holes;
}

/** Half of the original at the rims of holes, which lie beyond the damage. */
function softenRims(samples: Uint8Array, { width, height, data }: Raster, holes: Uint8Array): void {
  for (let at = 0; at < holes.length; at++) {
    if (!holes[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    const isInside =
      (x === 0 || holes[at - 1]) &&
      (x === width - 1 || holes[at + 1]) &&
      (y === 0 || holes[at - width]) &&
      (y === height - 1 || holes[at + width]);
    if (isInside) continue;
    for (let sample = 3 * at; sample < 3 * at + 3; sample++)
      samples[sample] = ((samples[sample] as number) + (data[sample] as number) + 1) >> 1;
  }
}
