import type { VideoTools } from './locate.js';
import { type LookTable, lumaExpression } from './look-table.js';

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
