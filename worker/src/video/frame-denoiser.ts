import { boxBlur } from '../rasters/filters.js';
import { type Frame, lumaOf } from './frame.js';
import type { FrameCleaner } from './frame-by-frame.js';
import { MOTION_BLOCK, measureMotion, moveAlong, type Pyramid, pyramidOf } from './motion.js';
import { isSceneCut } from './scene-cuts.js';

/** Most frames of the past that a pixel is averaged with: more would keep what motion misses by a fraction of a pixel. */
const MOST_FRAMES = 8;
/** Standard deviation in pixels of the neighborhood whose difference says whether the past shows the same. */
const NEIGHBORHOOD = 1.4;
/** Mean difference in levels up to which the past counts in full, and from which not at all: so much, and so much per level of noise. */
const SAME = { levels: 1, perNoise: 1 } as const;
const OTHER = { levels: 2, perNoise: 1.7 } as const;

interface Past {
  readonly frame: Frame;
  /** Averaged luma, more exactly than bytes: slow changes would be rounded away. */
  readonly luma: Float32Array;
  readonly pyramid: Pyramid;
  /** Frames in the average, by square of the motion. */
  readonly counts: Float32Array;
}

/**
 * Averages the luma of each frame with those before it along the motion, where they show the same. Noise falls with the number of
 * frames and nothing is blurred; what appears or moves otherwise stays as it is.
 */
export class FrameDenoiser implements FrameCleaner {
  private past: Past | null = null;

  /** @param noise standard deviation in levels */
  constructor(private readonly noise: number) {}

  /** Frames in their order, all of one size. @returns the frame with other luma */
  clean(frame: Frame): Frame {
    const { width, height } = frame;
    const seen = lumaOf(frame);
    const { past } = this;
    const columns = Math.ceil(width / MOTION_BLOCK);
    const counts = new Float32Array(columns * Math.ceil(height / MOTION_BLOCK)).fill(1);
    if (!past || isSceneCut(past.frame, frame)) {
      this.past = { frame, luma: Float32Array.from(seen), pyramid: pyramidOf(seen, width, height), counts };
      return frame;
    }
    // The averaged past, which has less noise to be misled by.
    const vectors = measureMotion(pyramidOf(seen, width, height), past.pyramid);
    const luma = moveAlong(past.luma, width, height, vectors);
    const weights = movedCounts(past.counts, columns, vectors);
    const difference = new Float32Array(luma.length);
    for (let at = 0; at < luma.length; at++) difference[at] = Math.abs((luma[at] as number) - (seen[at] as number));
    const around = boxBlur(difference, { width, height }, NEIGHBORHOOD);
    const [same, other] = [SAME, OTHER].map(({ levels, perNoise }) => levels + perNoise * this.noise) as [
      number,
      number,
    ];
    const data = new Uint8ClampedArray(frame.data);
    for (let y = 0, at = 0; y < height; y++) {
      const row = (y >> 3) * columns;
      for (let x = 0; x < width; x++, at++) {
        const share = (other - (around[at] as number)) / (other - same);
        const weight = (weights[row + (x >> 3)] as number) * Math.max(0, Math.min(1, share));
        const value = ((seen[at] as number) + weight * (luma[at] as number)) / (1 + weight);
        luma[at] = value;
        data[at] = value;
        counts[row + (x >> 3)] = (counts[row + (x >> 3)] as number) + weight / MOTION_BLOCK ** 2;
      }
    }
    const bytes = new Uint8Array(data.buffer);
    this.past = { frame, luma, pyramid: pyramidOf(bytes.subarray(0, width * height), width, height), counts };
    return { ...frame, data: bytes };
  }
}

/** Of the square that each one mostly comes from, at most {@link MOST_FRAMES}. */
function movedCounts(counts: Float32Array, columns: number, vectors: Int16Array): Float32Array {
  const rows = counts.length / columns;
  return counts.map((_, at) => {
    const column = Math.round((at % columns) + (vectors[2 * at] as number) / 4 / MOTION_BLOCK);
    const row = Math.round(Math.floor(at / columns) + (vectors[2 * at + 1] as number) / 4 / MOTION_BLOCK);
    const from = Math.min(rows - 1, Math.max(0, row)) * columns + Math.min(columns - 1, Math.max(0, column));
    return Math.min(MOST_FRAMES, counts[from] as number);
  });
}
