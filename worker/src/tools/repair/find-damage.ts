import { enlarge } from '../../networks/super-resolution.js';
import type { Raster } from '../../rasters/raster.js';
import type { PipelineContext } from '../restoration/context.js';

/** The context is about what a pixel of the result depends on, at the coarsest of five levels. */
const TILES = { size: 768, feather: 16, context: 64, multiple: 32 } as const;
/** Probabilities in 0..255: a mark needs a pixel of `sure`, and reaches as far as `likely`. */
interface Thresholds {
  readonly sure: number;
  readonly likely: number;
}
/** Of `base`: undamaged photos still have some marks at it, mostly reflections. See `pnpm bench repair`. */
export const CAREFUL: Thresholds = { sure: 250, likely: 180 };
/** Pixels that a mark has at least: the size of grain is below it. */
const SMALLEST = 4;
/** A mark is a line from so many times its width on; a disk is as long as 1.3. */
const LINE = 5;
/** Share of the picture beyond which marks are rather a pattern of it. */
const MOST = 0.25;

export interface Damage {
  /** 1 for each pixel of a mark, row by row. */
  readonly marks: Uint8Array;
  /** Share of the picture, 0..1. */
  readonly area: number;
  /** Of marks that don't touch. */
  readonly count: number;
  /** Share of the marked pixels in marks that are long and thin, 0..1. */
  readonly lines: number;
}

/** Scratches, dust, hairs, cracks, folds and spots of a print or its scan. */
export async function findDamage(
  { sessions, signal }: Pick<PipelineContext, 'sessions' | 'signal'>,
  picture: Raster,
  thresholds = CAREFUL,
): Promise<Damage> {
  const session = await sessions.get('find-damage');
  const { width, height, data } = await enlarge(session, picture, { limits: TILES, signal });
  const likeliness = Uint8Array.from({ length: width * height }, (_, at) => data[3 * at] as number);
  const found = marksIn(likeliness, width, thresholds);
  const area = found.pixels / (width * height);
  return area > MOST ? { marks: new Uint8Array(width * height), area: 0, count: 0, lines: 0 } : { ...found, area };
}

function marksIn(likeliness: Uint8Array, width: number, { sure, likely }: Thresholds) {
  const marks = new Uint8Array(likeliness.length);
  const isSeen = new Uint8Array(likeliness.length);
  let [count, pixels, inLines] = [0, 0, 0];
  for (let start = 0; start < likeliness.length; start++) {
    if (isSeen[start] || (likeliness[start] as number) < sure) continue;
    isSeen[start] = 1;
    const mark = [start];
    let [left, right, bottom] = [width, 0, 0];
    for (let index = 0; index < mark.length; index++) {
      const at = mark[index] as number;
      const x = at % width;
      left = Math.min(left, x);
      right = Math.max(right, x);
      bottom = Math.max(bottom, at);
      for (let row = at - width; row <= at + width; row += width) {
        for (let to = row - (x > 0 ? 1 : 0); to <= row + (x + 1 < width ? 1 : 0); to++) {
          if (isSeen[to] !== 0 || (likeliness[to] as number) < likely) continue;
          isSeen[to] = 1;
          mark.push(to);
        }
      }
    }
    if (mark.length < SMALLEST) continue;
    for (const at of mark) marks[at] = 1;
    const length = Math.hypot(right - left + 1, Math.floor(bottom / width) - Math.floor(start / width) + 1);
    if (length * length >= LINE * mark.length) inLines += mark.length;
    pixels += mark.length;
    count++;
  }
  return { marks, pixels, count, lines: pixels > 0 ? inLines / pixels : 0 };
}
