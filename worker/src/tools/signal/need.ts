import { ramp } from '../../rasters/ramp.js';
import { type Damage, softPart } from './reclaim.js';

/** Noise and blockiness, in levels, from which something is done and at which everything is. JPEG of quality 80 shows up to 0.9. */
const NOISE = { from: 1, to: 2.5 } as const;
const BLOCKINESS = { from: 0.95, to: 1.6 } as const;

/** How much a picture needs, 0 (sharp and clean: it stays as it is) to 1. */
export function needOf({ softness, noise, blockiness }: Damage): number {
  return Math.max(
    softPart(softness),
    ramp(noise, NOISE.from, NOISE.to),
    ramp(blockiness, BLOCKINESS.from, BLOCKINESS.to),
  );
}
