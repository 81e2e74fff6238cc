import type { Light } from '@clearframe/contract/pipeline';
import { smoothstep } from '../../rasters/ramp.js';
import type { Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import { skinLikeness } from './color-grade.js';
import { type Cones, chromaOf, conesOfLab, conesOfLight, labOfCones } from './color-lab.js';
import { monotoneCurve } from './color-lut.js';
import type { ColorSpace } from './color-space.js';

export interface Correction {
  /** Gains of cone responses that neutralize the light. */
  gains: Cones;
  /** Monotone, 0..1. */
  exposure(lightness: number): number;
  /** False for black and white or toned photographs, which get no tints. */
  colored: boolean;
}

/** Longest side: averages noise, keeps lights and shadows. */
const SIDE = 192;

/**
 * Grays within `reach` of the last estimate, weighted by proximity, over `rounds`, never beyond `furthest`. OKLab
 * chroma.
 */
const NEUTRAL = { reach: 0.065, rounds: 4, furthest: 0.07 } as const;
/** Skin says little about the light. */
const SKIN_WEIGHT = 0.3;
/** Below this share of grayish pixels the light is unknown. */
const ENOUGH_GRAY = { from: 0.04, to: 0.2 } as const;
/**
 * Removed share of a cast, and its maximum, in OKLab's a-b plane. Warm light is mostly intended: sunsets, rooms in
 * the evening.
 */
const COOL_CAST = { share: 0.8, most: 0.045 } as const;
const WARM_CAST = { share: 0.65, most: 0.035 } as const;
const GREEN_MAGENTA_CAST = { share: 0.75, most: 0.03 } as const;

/** Quantiles of the picture's range. */
const DARKEST = 0.002;
const BRIGHTEST = 0.998;
/** Restored share of the missing range, and its maximum at either end. */
const STRETCH = { share: 0.7, black: 0.16, white: 0.18 } as const;
/** Below this range a picture is flat by intention. */
const FLAT = { from: 0.12, to: 0.4 } as const;
/** Brightest lightness of an underexposed picture, fully between the middle two: night has lights, or is black. */
const UNDEREXPOSED = { black: 0.25, least: 0.4, most: 0.6, bright: 0.78 } as const;
/** Further restored share of an underexposed picture's range. */
const UNDEREXPOSED_WHITE = 0.16;
/** Good mid lightness. Outside, `share` of the distance is corrected, at most `step`, so that night stays night. */
const MIDDLE = { least: 0.46, most: 0.68, share: 0.4, step: 0.07 } as const;

/** Skin this light stops lifting, which would bleach faces in front of dark walls. */
const LIGHT_SKIN = { from: 0.74, to: 0.86 } as const;
const SKIN_AREA_RANGE = { from: 0.01, to: 0.05 } as const;

/** Maximum share of colored pixels in a black and white photograph. */
const COLORED_PART = 0.004;
const GRAY_CHROMA = 0.012;
/** Maximum spread of a toned print's colors around their mean. */
const TONED_SPREAD = 0.009;

/** Arrays instead of an object for each pixel: a third of the time. */
interface Samples {
  readonly count: number;
  readonly width: number;
  /** OKLab. */
  readonly l: Float64Array;
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly chroma: Float64Array;
  /** Three a sample. */
  readonly cones: Float64Array;
  /** See `skinLikeness`. */
  readonly skin: Float64Array;
}

/** Median lightness of a picture that is too dark or too bright, also for a night or snow. */
const EXPOSED = { dark: 0.3, bright: 0.85 } as const;
/** Neither black nor white, and a range of lightness that is not so by intention. */
const HAZY = { darkest: 0.2, brightest: 0.95, range: 0.62 } as const;

export async function measureLight(picture: Raster, space: ColorSpace): Promise<Light> {
  const samples = await samplesOf(picture, space);
  const { darkest, median, brightest } = quantilesOf(samples.l.toSorted());
  const range = brightest - darkest;
  // White may be 1.0000001.
  const rounded = (lightness: number) => Math.max(0, Math.min(1, Math.round(1000 * lightness) / 1000));
  return {
    median: rounded(median),
    exposure: median < EXPOSED.dark ? 'dark' : median > EXPOSED.bright ? 'bright' : 'normal',
    isMonochrome: !isColored(samples),
    isFlat: darkest > HAZY.darkest && brightest < HAZY.brightest && range < HAZY.range && range > FLAT.from,
  };
}

export async function measureColor(picture: Raster, space: ColorSpace): Promise<Correction> {
  const samples = await samplesOf(picture, space);
  const colored = isColored(samples);
  return {
    gains: colored ? gainsAgainst(castOf(samples)) : [1, 1, 1],
    exposure: exposureFor(samples.l.toSorted(), colored ? skinHeadroom(samples) : 1),
    colored,
  };
}

async function samplesOf(picture: Raster, space: ColorSpace): Promise<Samples> {
  const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const { data } = await resize(picture, width, height, 'linear');
  const count = width * height;
  const plane = () => new Float64Array(count);
  const [l, a, b, chroma, skin] = [plane(), plane(), plane(), plane(), plane()];
  const cones = new Float64Array(3 * count);
  const lightOf = (channel: number) =>
    Float64Array.from({ length: 256 }, (_, code) => space.toLight(channel, code / 255));
  const [lightOfRed, lightOfGreen, lightOfBlue] = [lightOf(0), lightOf(1), lightOf(2)];
  for (let at = 0, from = 0; at < count; at++, from += 3) {
    const red = lightOfRed[data[from] as number] as number;
    const green = lightOfGreen[data[from + 1] as number] as number;
    const blue = lightOfBlue[data[from + 2] as number] as number;
    const responses = conesOfLight(space, [red, green, blue]);
    const lab = labOfCones(responses);
    cones.set(responses, from);
    l[at] = lab.l;
    a[at] = lab.a;
    b[at] = lab.b;
    chroma[at] = chromaOf(lab);
    skin[at] = skinLikeness(lab);
  }
  return { count, width, l, a, b, chroma, cones, skin };
}

function isColored({ count, a, b, chroma }: Samples): boolean {
  let strong = 0;
  const mean = { a: 0, b: 0 };
  for (let at = 0; at < count; at++) {
    if ((chroma[at] as number) > GRAY_CHROMA) strong++;
    mean.a += (a[at] as number) / count;
    mean.b += (b[at] as number) / count;
  }
  if (strong <= count * COLORED_PART) return false;
  let spread = 0;
  for (let at = 0; at < count; at++) spread += ((a[at] as number) - mean.a) ** 2 + ((b[at] as number) - mean.b) ** 2;
  return Math.sqrt(spread / count) > TONED_SPREAD;
}

/**
 * The smaller of two independent estimates if they agree: the mean of near grays, and the mean color of edges (van de
 * Weijer, Gevers and Gijsenij, Edge-Based Color Constancy, 2007).
 */
function castOf(samples: Samples): { a: number; b: number } {
  const grays = grayEstimate(samples);
  const edges = edgeEstimate(samples);
  const agree = (one: number, other: number) =>
    one * other <= 0 ? 0 : Math.sign(one) * Math.min(Math.abs(one), Math.abs(other));
  const bounded = (cast: number, { share, most }: { share: number; most: number }) =>
    Math.max(-most, Math.min(most, cast * share * grays.confidence));
  const b = agree(grays.b, edges.b);
  return {
    a: bounded(agree(grays.a, edges.a), GREEN_MAGENTA_CAST),
    b: bounded(b, b > 0 ? WARM_CAST : COOL_CAST),
  };
}

function grayEstimate({ count, l, a, b, skin }: Samples): { a: number; b: number; confidence: number } {
  const base = l.map((light, at) => {
    const lit = smoothstep(0.2, 0.4, light) * (1 - smoothstep(0.96, 0.995, light));
    return lit * (1 - (1 - SKIN_WEIGHT) * (skin[at] as number));
  });
  let center = { a: 0, b: 0 };
  let weight = 0;
  for (let round = 0; round < NEUTRAL.rounds; round++) {
    const sum = { a: 0, b: 0, weight: 0 };
    for (let at = 0; at < count; at++) {
      const [ownA, ownB] = [a[at] as number, b[at] as number];
      const off = Math.sqrt((ownA - center.a) ** 2 + (ownB - center.b) ** 2);
      const share = (1 - smoothstep(NEUTRAL.reach / 3, NEUTRAL.reach, off)) * (base[at] as number);
      sum.a += share * ownA;
      sum.b += share * ownB;
      sum.weight += share;
    }
    if (sum.weight === 0) break;
    weight = sum.weight;
    const mean = { a: sum.a / weight, b: sum.b / weight };
    const shorten = Math.min(1, NEUTRAL.furthest / Math.max(1e-9, chromaOf({ l: 0, ...mean })));
    center = { a: mean.a * shorten, b: mean.b * shorten };
  }
  return { ...center, confidence: smoothstep(ENOUGH_GRAY.from, ENOUGH_GRAY.to, weight / count) };
}

function edgeEstimate({ count, width, cones }: Samples): { a: number; b: number } {
  const steps: [number, number, number] = [0, 0, 0];
  for (const channel of [0, 1, 2] as const) {
    let sum = 0;
    for (let at = 0, from = channel; at < count; at++, from += 3) {
      const own = cones[from] as number;
      if ((at + 1) % width !== 0) sum += Math.abs((cones[from + 3] as number) - own);
      if (at + width < count) sum += Math.abs((cones[from + 3 * width] as number) - own);
    }
    steps[channel] = sum;
  }
  const most = Math.max(...steps);
  // The light that gives a mid gray this color.
  return most > 0
    ? labOfCones([middle(steps[0], most), middle(steps[1], most), middle(steps[2], most)])
    : { a: 0, b: 0 };
}

const middle = (step: number, most: number): number => (0.34 * step) / most;

function gainsAgainst(cast: { a: number; b: number }): Cones {
  const l = 0.7;
  const white = conesOfLab({ l, a: 0, b: 0 });
  const tinted = conesOfLab({ l, ...cast });
  // Keeps the brightness of white.
  const [long, medium, short] = [white[0] / tinted[0], white[1] / tinted[1], white[2] / tinted[2]];
  const most = Math.max(long, medium, short);
  const keep = 1 / Math.cbrt(long * medium * short);
  return most > 0 ? [long * keep, medium * keep, short * keep] : [1, 1, 1];
}

/** Allowed lightening: 1 unrestricted, 0 none. */
function skinHeadroom({ count, l, skin: likeness }: Samples): number {
  const skin = l.filter((_, at) => (likeness[at] as number) > 0.6);
  const lightest = skin.sort()[Math.floor(skin.length * 0.9)] ?? 0;
  const amount = smoothstep(SKIN_AREA_RANGE.from, SKIN_AREA_RANGE.to, skin.length / count);
  return 1 - amount * smoothstep(LIGHT_SKIN.from, LIGHT_SKIN.to, lightest);
}

/** @param lightness sorted */
function quantilesOf(lightness: Float64Array): { darkest: number; median: number; brightest: number } {
  const at = (part: number) => lightness[Math.min(lightness.length - 1, Math.floor(part * lightness.length))] ?? 0;
  return { darkest: at(DARKEST), median: at(0.5), brightest: at(BRIGHTEST) };
}

/** 0..1. */
const underexposureOf = (brightest: number): number =>
  smoothstep(UNDEREXPOSED.black, UNDEREXPOSED.least, brightest) *
  (1 - smoothstep(UNDEREXPOSED.most, UNDEREXPOSED.bright, brightest));

/** Lightness that becomes white, without the limits of skin. */
const whiteOf = (brightest: number): number =>
  1 - Math.min(STRETCH.white + UNDEREXPOSED_WHITE * underexposureOf(brightest), (1 - brightest) * STRETCH.share);

/** Factor of an underexposed picture's lightness, 1 for every other; light skin stays as it is. */
export async function measureLift(picture: Raster, space: ColorSpace): Promise<number> {
  const samples = await samplesOf(picture, space);
  const { brightest } = quantilesOf(samples.l.toSorted());
  const room = isColored(samples) ? skinHeadroom(samples) : 1;
  return 1 / (1 - (1 - whiteOf(brightest)) * underexposureOf(brightest) * room);
}

function exposureFor(lightness: Float64Array, room: number): (l: number) => number {
  const { darkest, median, brightest } = quantilesOf(lightness);
  const lively = smoothstep(FLAT.from, FLAT.to, brightest - darkest);
  const black = Math.min(STRETCH.black, darkest * STRETCH.share) * lively;
  const white = 1 - (1 - whiteOf(brightest)) * lively * room;
  const stretched = Math.max(0, Math.min(1, (median - black) / (white - black)));
  const wanted = Math.max(MIDDLE.least, Math.min(MIDDLE.most, stretched));
  const bounded = Math.max(-MIDDLE.step, Math.min(MIDDLE.step, (wanted - stretched) * MIDDLE.share)) * lively;
  const step = bounded > 0 ? bounded * room : bounded;
  // Moves mid tones where the curve has room, wherever the median is.
  const pivot = Math.max(0.3, Math.min(0.7, stretched));
  const lift = monotoneCurve([
    [0, 0],
    [pivot, pivot + step],
    [1, 1],
  ]);
  return (l) => lift(Math.max(0, Math.min(1, (l - black) / (white - black))));
}
