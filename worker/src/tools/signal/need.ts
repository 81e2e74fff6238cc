import { ramp } from '../../rasters/ramp.js';
import { type Defects, softFraction } from './reclaim.js';

/**
 * Noise and blockiness, in levels, from which enhancement starts and is complete. JPEG of quality 80 measures up to
 * 0.9.
 */
const NOISE = { from: 1, to: 2.5 } as const;
const BLOCKINESS = { from: 0.95, to: 1.6 } as const;

/** How much enhancement a picture needs: 0 (sharp and clean) to 1. */
export function enhancementNeed({ softness, noise, blockiness }: Defects): number {
  return Math.max(
    softFraction(softness),
    ramp(noise, NOISE.from, NOISE.to),
    ramp(blockiness, BLOCKINESS.from, BLOCKINESS.to),
  );
}
