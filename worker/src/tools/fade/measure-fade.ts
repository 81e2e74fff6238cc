import type { Samples } from '../../image/picture.js';
import { smoothstep } from '../../rasters/ramp.js';
import { crop, type Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import { chromaOf, conesOf, hueOf, type Lab, labOfCones, type Rgb } from '../color/color-lab.js';
import type { ColorSpace } from '../color/color-space.js';

/**
 * What has become of a print: dyes lose a share of their density, and paper gains a stain. Optical densities by channel: 1 lets a
 * tenth of the light through.
 */
export interface Fade {
  /** Likelihood that the picture is a faded print, 0..1. */
  readonly evidence: number;
  /** Density of the stain. */
  readonly white: Rgb;
  /** Share of the density of the dyes that is left. */
  readonly left: Rgb;
  /** Factor of the densities at the corners that makes them as dark as the middle; 1 for a print that has faded evenly. */
  readonly corners: number;
  readonly isMonochrome: boolean;
  /** A monochrome print in sepia. */
  readonly isSepia: boolean;
}

/** Longest side: averages grain and dust, keeps blacks and whites. */
const SIDE = 256;
/** Share of each side that is not measured: scans often have a rim of the scanner's black or white. */
const RIM = 0.03;
/** Quantiles of a channel that stand for its black and its white, and the black of a part of the picture. */
const DARKEST = 0.002;
const BRIGHTEST = 0.998;
const DARKEST_OF_PART = 0.01;

/** Code of the deepest black of the three channels: in nearly every picture that has not faded, one of them is near 0. */
const LIFTED = { from: 20, to: 29 } as const;
/** Density of white in blue beyond that in red: paper turns yellow. */
const STAINED = { from: 0.02, to: 0.05 } as const;
/** Codes by which red is lighter than another channel in black: cyan is the first dye to go. */
const REDDENED = { from: 25, to: 45 } as const;
/**
 * What tells the yellow of paper from that of haze at dawn, either of them: a share of the picture, in percent, that is as dark as
 * its black, within so many codes, because a print has a densest black; or black that is less yellow than white, by this ratio
 * of densities of blue beyond green, because yellow dye fades.
 */
const INK = { from: 1, to: 2.5, codes: 8 } as const;
const TINT = { from: 0.3, to: 0.8 } as const;
/** Range of OKLab lightness: a picture with less is flat by intention. */
const FLAT = { from: 0.22, to: 0.34 } as const;

/** Most density of a stain; more is a color of the scene. */
const MOST_STAIN: Rgb = [0.04, 0.1, 0.3];
/** Least share that is left of a dye; less is a scene without black. */
const LEAST_LEFT = 0.42;
/** Densest black of a glossy print. */
const MAX_DENSITY = 2.1;

/** Parts of the picture by {@link eccentricity}, whose blacks are compared. */
const MIDDLE = 0.2;
const AROUND = 0.4;
/** How far the difference between them counts, from between them to the corners: a scene may have its blacks in the middle. */
const UNEVEN = { share: 1.2, most: 1.4 } as const;

/** Root mean square distance in OKLab of a monochrome print's colors from the mean color of their tone, and the number of tones. */
const MONOCHROME_SPREAD = 0.01;
const TONES = 16;
/**
 * Mean color of a print in sepia, in degrees and chroma of OKLab: gray on yellowed paper is more yellow, and a scene of one color,
 * as a leaf, stronger.
 */
const SEPIA = { hue: { from: 50, to: 94 }, chroma: { from: 0.016, to: 0.11 } } as const;

export async function measureFade(picture: Raster, space: ColorSpace): Promise<Fade> {
  const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height));
  const sideOf = (side: number) => Math.max(1, Math.round(side * scale));
  const reduced = await resize(picture, sideOf(picture.width), sideOf(picture.height), 'linear');
  const small = { ...reduced, data: Uint8Array.from(reduced.data) };
  const own = codesOf(withoutRim(small).data);
  const [darkest, brightest] = [quantiles(own, DARKEST), quantiles(own, BRIGHTEST)];
  const [deepest, stain] = [densitiesOf(space, darkest), densitiesOf(space, brightest)];
  const white = each((channel) => Math.min(MOST_STAIN[channel], stain[channel]));
  const corners = cornersOf(small, space, white);
  evenOut(small.data, small, space, { white, corners });
  const even = withoutRim(small).data;
  const black = corners === 1 ? darkest : quantiles(codesOf(even), DARKEST);

  const yellow = smoothstep(STAINED.from, STAINED.to, stain[2] - stain[0]);
  const haze =
    smoothstep(TINT.from, TINT.to, (deepest[2] - deepest[1]) / Math.max(STAINED.from, stain[2] - stain[1])) *
    (1 - smoothstep(INK.from, INK.to, 100 * shareNear(even, black)));
  const red = smoothstep(REDDENED.from, REDDENED.to, darkest[0] - Math.min(darkest[1], darkest[2]));
  const range = labOf(space, brightest).l - labOf(space, darkest).l;
  const evidence =
    smoothstep(LIFTED.from, LIFTED.to, Math.min(...darkest)) *
    Math.max(yellow * (1 - haze), red) *
    smoothstep(FLAT.from, FLAT.to, range);

  const dense = densitiesOf(space, black);
  const left = each((channel) => Math.max(LEAST_LEFT, (dense[channel] - white[channel]) / MAX_DENSITY));
  // Magenta, the dye that absorbs green, is never the first to go: a green black is the scene's.
  left[1] = Math.max(left[1], Math.min(left[0], left[2]));
  return { evidence, white, left, corners: 1 + (corners - 1) * evidence, ...tonesOf(small.data, space) };
}

/** Whether `fade` changes the picture visibly. */
export const isFaded = ({ evidence }: Fade): boolean => evidence >= 0.5;

const each = (of: (channel: 0 | 1 | 2) => number): [number, number, number] => [of(0), of(1), of(2)];

/** Share of the pixels that are about as dark as the darkest, in each channel. */
function shareNear(data: Uint8Array, darkest: Rgb): number {
  let count = 0;
  for (let at = 0; at < data.length; at += 3) {
    const off = Math.max(...each((channel) => (data[at + channel] as number) - darkest[channel]));
    if (off <= INK.codes) count++;
  }
  return (3 * count) / data.length;
}

function withoutRim(picture: Raster): Raster {
  const [x, y] = [Math.floor(picture.width * RIM), Math.floor(picture.height * RIM)];
  return crop(picture, { x, y, width: picture.width - 2 * x, height: picture.height - 2 * y });
}

/** Sorted, by channel. */
const codesOf = (data: Uint8Array) =>
  ([0, 1, 2] as const).map((channel) => data.filter((_, at) => at % 3 === channel).sort());

const quantiles = (codes: readonly Uint8Array[], part: number) =>
  each((channel) => codes[channel]?.[Math.floor(part * (codes[channel].length - 1))] ?? 0);

const labOf = (space: ColorSpace, codes: Rgb): Lab =>
  labOfCones(conesOf(space, [codes[0] / 255, codes[1] / 255, codes[2] / 255]));

const densitiesOf = (space: ColorSpace, codes: Rgb) =>
  each((channel) => densityOf(space, channel, codes[channel] / 255));

/** @param code 0..1 */
export const densityOf = (space: ColorSpace, channel: number, code: number): number =>
  -Math.log10(Math.max(1e-4, space.toLight(channel, code)));

/** 0 in the middle, 1 at the corners. */
const eccentricity = ({ width, height }: { width: number; height: number }, x: number, y: number): number =>
  ((2 * x) / width - 1) ** 2 / 2 + ((2 * y) / height - 1) ** 2 / 2;

/** How far black is lighter around the middle than in it, by the channel that differs least. */
function cornersOf(picture: Raster, space: ColorSpace, white: Rgb): number {
  const { width, data } = picture;
  const blackOf = (isPart: (eccentricity: number) => boolean) => {
    const part = data.filter((_, at) => {
      const pixel = Math.floor(at / 3);
      return isPart(eccentricity(picture, pixel % width, Math.floor(pixel / width)));
    });
    return densitiesOf(space, quantiles(codesOf(part), DARKEST_OF_PART));
  };
  const inside = blackOf((e) => e < MIDDLE);
  const outside = blackOf((e) => e > AROUND);
  const ratio = Math.min(...each((c) => (inside[c] - white[c]) / Math.max(0.3, outside[c] - white[c])));
  return Math.min(UNEVEN.most, 1 / Math.max(0.2, 1 - Math.max(0, 1 - 1 / ratio) * UNEVEN.share));
}

/** Steps from the middle to the corners: too fine to be seen. */
const LEVELS = 64;

/** Makes what has faded more around the middle as dense as that, in place. */
export function evenOut(
  samples: Samples,
  picture: { width: number; height: number },
  space: ColorSpace,
  { white, corners }: Pick<Fade, 'white' | 'corners'>,
): void {
  if (corners === 1) return;
  const most = samples instanceof Uint16Array ? 65535 : 255;
  const table = Float64Array.from({ length: 3 * (LEVELS + 1) * 257 }, (_, at) => {
    const [channel, level, code] = [
      Math.floor(at / 257 / (LEVELS + 1)) as 0,
      Math.floor(at / 257) % (LEVELS + 1),
      at % 257,
    ];
    const density = densityOf(space, channel, Math.min(255, code) / 255) - white[channel];
    const left = 1 + (1 / corners - 1) * (level / LEVELS);
    return density <= 0
      ? (Math.min(255, code) / 255) * most
      : most * space.toCode(channel, 10 ** -(white[channel] + density / left));
  });
  const { width, height } = picture;
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const level = Math.round(eccentricity(picture, x, y) * LEVELS);
      for (let channel = 0; channel < 3; channel++, at++) {
        const position = ((samples[at] as number) / most) * 255;
        const whole = Math.floor(position);
        const from = (channel * (LEVELS + 1) + level) * 257 + whole;
        const low = table[from] as number;
        samples[at] = low + ((table[from + 1] as number) - low) * (position - whole) + 0.5;
      }
    }
  }
}

function tonesOf(data: Uint8Array, space: ColorSpace): Pick<Fade, 'isMonochrome' | 'isSepia'> {
  const colors: Lab[] = [];
  const sums = Array.from({ length: TONES }, () => ({ a: 0, b: 0, count: 0 }));
  const toneOf = ({ l }: Lab) => sums[Math.min(TONES - 1, Math.max(0, Math.floor(l * TONES)))] as (typeof sums)[number];
  for (let from = 0; from + 2 < data.length; from += 3) {
    const color = labOf(space, [data[from] as number, data[from + 1] as number, data[from + 2] as number]);
    const tone = toneOf(color);
    tone.a += color.a;
    tone.b += color.b;
    tone.count++;
    colors.push(color);
  }
  let spread = 0;
  const mean = { l: 0, a: 0, b: 0 };
  for (const color of colors) {
    const { a, b, count } = toneOf(color);
    spread += (color.a - a / count) ** 2 + (color.b - b / count) ** 2;
    mean.a += color.a / colors.length;
    mean.b += color.b / colors.length;
  }
  const [hue, chroma] = [hueOf(mean), chromaOf(mean)];
  const isMonochrome = Math.sqrt(spread / colors.length) < MONOCHROME_SPREAD && chroma < SEPIA.chroma.to;
  const isSepia = chroma > SEPIA.chroma.from && hue > SEPIA.hue.from && hue < SEPIA.hue.to;
  return { isMonochrome, isSepia: isMonochrome && isSepia };
}
