import type { VideoSource } from './probe-video.js';

/** File of the tone mapping in the folder of the process. */
export const TONE_MAP_FILE = 'tone-map.cube';

/** See `measureCleaning`. Null for none. */
export interface Cleaning {
  /** Standard deviation of noise in levels that a spatial and temporal filter removes. */
  readonly noise: number;
  readonly isBlocky: boolean;
  /** So coarsely that a network has something to take back. */
  readonly isCompressed: boolean;
  /** Share of a neighborhood that is subtracted. */
  readonly sharpening: number;
  /** Side of the squares of equal pixels; 1 for none. */
  readonly repeated: number;
}

export interface Picture {
  readonly source: Pick<VideoSource, 'isInterlaced' | 'hasSquarePixels' | 'colors'>;
  readonly isHdr: boolean;
  /** Displayed width. */
  readonly width: number;
  readonly height: number;
}

/** Even size of a result: the shown one, reduced to a longest side. */
export function fittingSize({ width, height }: Pick<Picture, 'width' | 'height'>, maxSide: number): [number, number] {
  const factor = Math.min(1, maxSide / Math.max(width, height));
  const even = (pixels: number) => Math.max(2, 2 * Math.round((pixels * factor) / 2));
  return [even(width), even(height)];
}

/** Kernel of a changed size: the area takes a third of the time of bicubic for frames that are measured only. */
export type Scaling = 'bicubic' | 'area';

/** Filters from a decoded, turned frame to 4:2:0 of 8 bits. */
export function pictureFilters(
  { source, isHdr, ...shown }: Picture,
  [width, height]: [number, number],
  scaling: Scaling,
): string[] {
  const size = width < shown.width || !source.hasSquarePixels ? `${width}:${height}:` : `${within(width, height)}:`;
  return [
    ...(source.isInterlaced ? ['yadif=deint=interlaced'] : []),
    ...(isHdr ? toneMapping(size, scaling) : [toVideoLevels(size, source.colors, scaling)]),
    // H.264 with 4:2:0 has even sides: an odd last column or row is cut.
    `crop=${width}:${height}:0:0`,
    'setsar=1',
    'format=yuv420p',
  ];
}

/** Frames of a file may change their size. Those of its first size keep an odd column or row, which is cut. */
const within = (width: number, height: number): string =>
  `w='if(lte(abs(iw-${width}),1),iw,${width})':h='if(lte(abs(ih-${height}),1),ih,${height})'`;

/** Scales, and converts what x264's 4:2:0 doesn't have: a full range of levels, and red, green and blue. */
function toVideoLevels(size: string, { isFullRange, isRgb }: VideoSource['colors'], scaling: Scaling): string {
  const matrix = isRgb ? 'out_color_matrix=bt709:' : '';
  const range = isFullRange ? 'in_range=pc:out_range=tv:' : isRgb ? 'out_range=tv:' : '';
  return `scale=${size}${matrix}${range}flags=${scaling}`;
}

const toneMapping = (size: string, scaling: Scaling): string[] => [
  `scale=${size}flags=${scaling}:in_color_matrix=bt2020:out_range=pc`,
  'format=rgb48le',
  `lut3d=file=${TONE_MAP_FILE}`,
  'scale=out_color_matrix=bt709:out_range=tv',
];

/** hqdn3d's strengths per level of noise. More would smear motion. */
const SPATIAL = 0.9;
const TEMPORAL = 2.5;
/**
 * Minimum for videos without noise, because encoding adds flicker; more would smear what moves (bench/results/choices.md). hqdn3d
 * replaces zero by its default.
 */
const LEAST = { spatial: 0.5, temporal: 5 } as const;
const MAX_SPATIAL = 4;
const MAX_TEMPORAL = 10;
const COLOR = 1.4;
/** Variance of that neighborhood in pixels: what a soft video lacks is coarser than a pixel. */
const VARIANCE = 3;
/** Only luma is sharpened, everywhere. */
const LUMA_ONLY = 'lt=0:cr=0.1:cs=0:ct=0';

/** Levels of noise from which averaging along the motion is worth its time; filters do as well below. */
const NOISY = 1;
/** After the network that takes back compression; hqdn3d replaces zero by its default. */
const REST_OF_NETWORK = { spatial: 0.01, temporal: 0.5 } as const;
/** What is left of noise where nothing before a frame shows the same: strengths of hqdn3d for luma. */
const REST = { spatial: 3, temporal: 3 } as const;

export const isNoisy = ({ noise }: Cleaning): boolean => noise >= NOISY;

/** Smooths noise and blocks, and sharpens. */
export function cleaningFilters(cleaning: Cleaning): string[] {
  const strengths = strengthsFor(cleaning.noise);
  return [
    ...withoutRepeatedPixels(cleaning),
    ...(cleaning.isBlocky ? ['deblock=filter=weak:block=8'] : []),
    ...sharpening(cleaning),
    // Last: it also smooths over time what sharpening has made flicker more.
    smoothing(strengths, strengths),
  ];
}

/** The same in two parts, before and after luma is averaged along the motion. */
export function cleaningAroundAverage(cleaning: Cleaning): { readonly before: string[]; readonly after: string[] } {
  return {
    before: withoutRepeatedPixels(cleaning),
    after: [...sharpening(cleaning), smoothing(REST, strengthsFor(cleaning.noise))],
  };
}

/** The same where a network takes back compression: luma is hardly smoothed any more. */
export const cleaningAroundNetwork = (cleaning: Cleaning): { readonly before: string[]; readonly after: string[] } => ({
  before: [],
  after: [...sharpening(cleaning), smoothing(REST_OF_NETWORK, strengthsFor(0))],
});

/** The small original, enlarged smoothly. */
const withoutRepeatedPixels = ({ repeated }: Cleaning): string[] =>
  repeated > 1
    ? [`scale=iw/${repeated}:ih/${repeated}:flags=area`, `scale=iw*${repeated}:ih*${repeated}:flags=lanczos`]
    : [];

/** A negative strength sharpens, in a small part of the time of `unsharp` (bench/results/choices.md). */
function sharpening(cleaning: Cleaning): string[] {
  const amount = cleaning.sharpening.toFixed(3);
  return Number(amount) > 0 ? [`smartblur=lr=${VARIANCE}:ls=-${amount}:${LUMA_ONLY}`] : [];
}

interface Strengths {
  readonly spatial: number;
  readonly temporal: number;
}

const strengthsFor = (noise: number): Strengths => ({
  spatial: Math.min(MAX_SPATIAL, LEAST.spatial + SPATIAL * noise),
  temporal: Math.min(MAX_TEMPORAL, LEAST.temporal + TEMPORAL * noise),
});

function smoothing(luma: Strengths, color: Strengths): string {
  const strengths = [luma.spatial, color.spatial * COLOR, luma.temporal, color.temporal * COLOR];
  return `hqdn3d=${strengths.map((value) => value.toFixed(2)).join(':')}`;
}
