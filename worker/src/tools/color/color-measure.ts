import { smoothstep } from '../../rasters/ramp.js';
import type { Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import { monotoneCurve } from './color-curve.js';
import { skinLikeness } from './color-grade.js';
import { type Cones, chromaOf, conesOf, conesOfLab, type Lab, labOfCones } from './color-lab.js';
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

interface Sample {
  lab: Lab;
  cones: Cones;
  /** See `skinLikeness`. */
  skin: number;
}

export async function measureColor(picture: Raster, space: ColorSpace): Promise<Correction> {
  const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const { data } = await resize(picture, width, height, 'linear');
  const samples = Array.from({ length: width * height }, (_, at): Sample => {
    const cones = conesOf(space, [
      (data[at * 3] ?? 0) / 255,
      (data[at * 3 + 1] ?? 0) / 255,
      (data[at * 3 + 2] ?? 0) / 255,
    ]);
    const lab = labOfCones(cones);
    return { cones, lab, skin: skinLikeness(lab) };
  });
  const colored = isColored(samples);
  return {
    gains: colored ? gainsAgainst(castOf(samples, width)) : [1, 1, 1],
    exposure: exposureFor(Float64Array.from(samples, ({ lab }) => lab.l).sort(), colored ? skinHeadroom(samples) : 1),
    colored,
  };
}

function isColored(samples: readonly Sample[]): boolean {
  const strong = samples.reduce((count, { lab }) => count + (chromaOf(lab) > GRAY_CHROMA ? 1 : 0), 0);
  if (strong <= samples.length * COLORED_PART) return false;
  const mean = { a: 0, b: 0 };
  for (const { lab } of samples) {
    mean.a += lab.a / samples.length;
    mean.b += lab.b / samples.length;
  }
  const spread = samples.reduce((sum, { lab }) => sum + (lab.a - mean.a) ** 2 + (lab.b - mean.b) ** 2, 0);
  return Math.sqrt(spread / samples.length) > TONED_SPREAD;
}

/**
 * The smaller of two independent estimates if they agree: the mean of near grays, and the mean color of edges (van de
 * Weijer, Gevers and Gijsenij, Edge-Based Color Constancy, 2007), which large skies, walls and faces don't mislead.
 */
function castOf(samples: readonly Sample[], width: number): { a: number; b: number } {
  const grays = grayEstimate(samples);
  const edges = edgeEstimate(samples, width);
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

function grayEstimate(samples: readonly Sample[]): { a: number; b: number; confidence: number } {
  const lit = samples.map(({ lab }) => smoothstep(0.2, 0.4, lab.l) * (1 - smoothstep(0.96, 0.995, lab.l)));
  let center = { a: 0, b: 0 };
  let weight = 0;
  for (let round = 0; round < NEUTRAL.rounds; round++) {
    const sum = { a: 0, b: 0, weight: 0 };
    for (const [at, { lab, skin }] of samples.entries()) {
      const off = Math.hypot(lab.a - center.a, lab.b - center.b);
      const gray = 1 - smoothstep(NEUTRAL.reach / 3, NEUTRAL.reach, off);
      const share = gray * (lit[at] as number) * (1 - (1 - SKIN_WEIGHT) * skin);
      sum.a += share * lab.a;
      sum.b += share * lab.b;
      sum.weight += share;
    }
    if (sum.weight === 0) break;
    weight = sum.weight;
    const [a, b] = [sum.a / weight, sum.b / weight];
    const shorten = Math.min(1, NEUTRAL.furthest / Math.max(1e-9, Math.hypot(a, b)));
    center = { a: a * shorten, b: b * shorten };
  }
  return { ...center, confidence: smoothstep(ENOUGH_GRAY.from, ENOUGH_GRAY.to, weight / samples.length) };
}

function edgeEstimate(samples: readonly Sample[], width: number): { a: number; b: number } {
  const steps: [number, number, number] = [0, 0, 0];
  for (const [at, { cones }] of samples.entries()) {
    const right = at % width === width - 1 ? undefined : samples[at + 1];
    const below = samples[at + width];
    for (const channel of [0, 1, 2] as const) {
      if (right) steps[channel] += Math.abs(right.cones[channel] - cones[channel]);
      if (below) steps[channel] += Math.abs(below.cones[channel] - cones[channel]);
    }
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
function skinHeadroom(samples: readonly Sample[]): number {
  const skin = Float64Array.from(
    samples.filter((sample) => sample.skin > 0.6),
    ({ lab }) => lab.l,
  );
  const lightest = skin.sort()[Math.floor(skin.length * 0.9)] ?? 0;
  const amount = smoothstep(SKIN_AREA_RANGE.from, SKIN_AREA_RANGE.to, skin.length / samples.length);
  return 1 - amount * smoothstep(LIGHT_SKIN.from, LIGHT_SKIN.to, lightest);
}

function exposureFor(lightness: Float64Array, room: number): (l: number) => number {
  const at = (part: number) => lightness[Math.min(lightness.length - 1, Math.floor(part * lightness.length))] ?? 0;
  const [darkest, median, brightest] = [at(DARKEST), at(0.5), at(BRIGHTEST)];
  const lively = smoothstep(FLAT.from, FLAT.to, brightest - darkest);
  const black = Math.min(STRETCH.black, darkest * STRETCH.share) * lively;
  const white = 1 - Math.min(STRETCH.white, (1 - brightest) * STRETCH.share) * lively * room;
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
