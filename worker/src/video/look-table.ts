import type { Rgb } from '../tools/color/color-lab.js';
import { isWithin, toCodes, toLevels } from './levels.js';

/** Points per axis. More take longer to compute and to parse than to apply, for each scene. */
const POINTS = 21;
const LAST = POINTS - 1;
const NEUTRAL = 128;
/** Steps of a level in the file. */
const PARTS = 16;
/** ffmpeg multiplies a level by 257 where it only copies samples to 16 bits, by 256 where it scales their picture. */
const [COPIED, SCALED] = [257, 256];
/** Levels between two points. */
const STEPS = { chroma: 0xffff / COPIED / LAST, luma: 0xffff / SCALED / LAST } as const;
/** Points of the curve of gray. */
const CURVE_POINTS = 33;
const CURVE_STEP = 0xffff / SCALED / (CURVE_POINTS - 1);

export interface LookTable {
  /** New luma of gray in steps of `CURVE_STEP`, in levels. */
  readonly luma: readonly number[];
  /** For lut3d: luma, Cb and Cr to the change of luma beyond that of gray, Cb and Cr. */
  readonly cube: string;
}

/** @param transform maps red, green and blue of 0..1 */
export function tabulateLook(transform: (codes: Rgb) => Rgb, is709: boolean): LookTable {
  const look = extended(transform, is709);
  const grayOf = (level: number): number => look([level, NEUTRAL, NEUTRAL])[0];
  const luma = Array.from({ length: CURVE_POINTS }, (_, at) => grayOf(at * CURVE_STEP));
  const grays = Array.from({ length: POINTS }, (_, at) => grayOf(at * STEPS.luma));
  const lines = [`LUT_3D_SIZE ${POINTS}`];
  // The file has red fastest, then green. Luma is passed as green, Cb as blue and Cr as red.
  for (let blue = 0; blue < POINTS; blue++) {
    for (let green = 0; green < POINTS; green++) {
      const gray = grays[green] ?? 0;
      for (let red = 0; red < POINTS; red++) {
        const [y, cb, cr] = look([green * STEPS.luma, blue * STEPS.chroma, red * STEPS.chroma]);
        lines.push(`${textOf(cr, COPIED)} ${textOf(NEUTRAL + y - gray, SCALED)} ${textOf(cb, COPIED)}`);
      }
    }
  }
  return { luma, cube: `${lines.join('\n')}\n` };
}

/**
 * Formatting numbers takes longer than computing them. Four digits are a fortieth of a level; ffmpeg reads them faster
 * than more.
 */
const texts = Object.fromEntries(
  [COPIED, SCALED].map((factor) => [
    factor,
    Array.from({ length: 255 * PARTS + 1 }, (_, parts) =>
      ((parts / PARTS) * (factor / 0xffff)).toFixed(4).replace(/^0/, ''),
    ),
  ]),
);
const textOf = (level: number, factor: number): string =>
  texts[factor]?.[Math.round(Math.max(0, Math.min(255, level)) * PARTS)] ?? '0';

/** Maps levels of luma, Cb and Cr. Those that no color has keep their distance from the nearest color. */
function extended(transform: (codes: Rgb) => Rgb, is709: boolean): (levels: Rgb) => Rgb {
  const changeOf = (codes: Rgb): Rgb => {
    const [from, to] = [toLevels(codes, is709), toLevels(transform(codes), is709)];
    return [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  };
  // Most points of the table are beyond all colors, and few colors are nearest to them.
  const changes: (Rgb | undefined)[] = [];
  const changeBeyond = (codes: Rgb): Rgb => {
    const [red, green, blue] = [pointOf(codes[0]), pointOf(codes[1]), pointOf(codes[2])];
    const index = (red * POINTS + green) * POINTS + blue;
    changes[index] ??= changeOf([red / LAST, green / LAST, blue / LAST]);
    return changes[index];
  };
  return (levels) => {
    const codes = toCodes(levels, is709);
    const change = isWithin(codes) ? changeOf(codes) : changeBeyond(codes);
    return [levels[0] + change[0], levels[1] + change[1], levels[2] + change[2]];
  };
}

const pointOf = (code: number): number => Math.round(Math.max(0, Math.min(1, code)) * LAST);

/**
 * Expression of `lut`, which truncates, for the luma of gray. ffmpeg evaluates it for 65,536 levels, also of 8 bits: a sum over
 * all steps took .1 s for each scene.
 */
export function lumaExpression(luma: readonly number[]): string {
  const within = (first: number, end: number): string => {
    if (end - first === 1) return lineOf(first);
    const middle = (first + end) >> 1;
    return `if(lt(val,${(middle * CURVE_STEP).toFixed(3)}),${within(first, middle)},${within(middle, end)})`;
  };
  const lineOf = (at: number): string => {
    const [from = 0, to = 0] = luma.slice(at, at + 2);
    const slope = (to - from) / CURVE_STEP;
    return `${(from - slope * at * CURVE_STEP + 0.5).toFixed(3)}+val*${slope.toFixed(5)}`;
  };
  return within(0, luma.length - 1);
}
