import type { Rgb } from '../tools/color/color-lab.js';
import { isWithin, toCodes, toLevels } from './frame.js';
import type { VideoTools } from './locate.js';

export interface SceneLook extends Pick<LookTable, 'luma'> {
  /** File of the table in the folder of the process. */
  readonly table: string;
  /** Seconds of its first frame, and of that of the next scene. */
  readonly from: number;
  readonly until: number;
}

/** Scenes whose frames may be decoded at a time: reading a table takes as long as applying it to some frames. */
export const looksAt = (looks: readonly SceneLook[], seconds: number): readonly SceneLook[] =>
  looks.filter(({ from, until }) => from < seconds + LONGEST_FRAME && until > seconds - LONGEST_FRAME);
/** Seconds. */
const LONGEST_FRAME = 1;

/**
 * Applies tables to 4:2:0 without converting it to red, green and blue. `lut3d` runs on the quarter of the pixels with
 * chroma: it gives the new chroma, and what luma changes beyond the gray curve. Its vector code is for 16 bits.
 */
export function lookFilters(looks: readonly SceneLook[], tools: VideoTools): string {
  const curves = looks.map((look) => `lut=c0='${lumaExpression(look.luma)}'${enabledDuring(look)}`);
  const tables = looks.map((look) => `lut3d=file=${look.table}${enabledDuring(look)}`);
  return [
    'format=yuv420p,extractplanes=y+u+v[y][cb][cr]',
    '[y]split[full][light]',
    '[light]scale=iw/2:ih/2:flags=area,format=gray16le[light16]',
    '[cb]format=gray16le[cb16]',
    '[cr]format=gray16le[cr16]',
    // Planes of green, blue and red.
    `[light16][cb16][cr16]${mergePlanes('gbrp16le', tools)},${tables.join(',')},extractplanes=r+g+b[newcr][change][newcb]`,
    `[full]${curves.join(',')}[curved]`,
    '[change]scale=iw*2:ih*2:flags=bilinear,format=gray[change8]',
    '[curved][change8]blend=all_mode=grainmerge[newy]',
    '[newcb]format=gray[newcb8]',
    '[newcr]format=gray[newcr8]',
    `[newy][newcb8][newcr8]${mergePlanes('yuv420p', tools)}`,
  ].join(';');
}

/** Keyed by time, which is the same for a single frame from the middle of the video. */
function enabledDuring({ from, until }: SceneLook): string {
  const bounds = [
    ...(from > Number.NEGATIVE_INFINITY ? [`gte(t,${boundary(from)})`] : []),
    ...(until < Number.POSITIVE_INFINITY ? [`lt(t,${boundary(until)})`] : []),
  ];
  return bounds.length > 0 ? `:enable='${bounds.join('*')}'` : '';
}

/** Slightly before the first frame: programs round times differently. */
const boundary = (seconds: number): string => (seconds - 0.001).toFixed(6);

/** Older builds know the planes by one number. */
const mergePlanes = (format: string, { hasFrameRateMode }: VideoTools): string =>
  `mergeplanes=${hasFrameRateMode ? 'map1s=1:map2s=2' : 'mapping=0x001020'}:format=${format}`;

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
function lumaExpression(luma: readonly number[]): string {
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
