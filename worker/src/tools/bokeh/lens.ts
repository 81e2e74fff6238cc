import { boxMean } from '../../rasters/filters.js';
import type { Plane } from '../../rasters/guided-filter.js';
import { LIGHT_OF_CODE, luminance } from '../../rasters/linear-light.js';
import { smoothstep } from '../../rasters/ramp.js';
import type { Raster } from '../../rasters/raster.js';
import { discSum } from './disc-blur.js';

/** A reduced picture in linear light. `weight`: how much of a pixel is known. */
export interface Light {
  width: number;
  height: number;
  /** Pixels of the picture per pixel side. */
  reduction: number;
  red: Float32Array;
  green: Float32Array;
  blue: Float32Array;
  weight: Float32Array;
}

export interface Lens {
  /** Radius of the disc, in pixels of the picture. */
  radius: number;
  /** Brightening of lights, 0..1. */
  highlights: number;
  /** Background saturation, 0..1. */
  vivid: number;
}

/** Reduced radius of the disc: round enough, and cheap. */
const DISC_RADIUS = 7;
/** However small the disc. */
const MAX_PIXELS = 2e6;
/** Share of background from which a pixel counts: mixed pixels carry the subject's color. */
const PURE = { from: 0.55, to: 0.95 } as const;
/**
 * Within this distance of people (relative to the longest side, and in pixels) background hardly counts: mattes are a
 * pixel or two off, and a rim of the subject would show as a bright ring. Between strands of hair the small weight is
 * enough.
 */
const MARGIN = { part: 0.003, least: 2, weight: 0.003 } as const;
/** Maximum gain of clipped lights. */
const MAX_GAIN = 7;
/** Lights are near clipping and brighter than their surroundings. */
const BRIGHT = { from: 0.7, to: 0.98 } as const;
const CONTRAST_RANGE = { from: 2, to: 4.5 } as const;
/** Saturation that a dull color gains at vivid 1. */
const VIVID = 0.6;

function lensReduction(picture: { width: number; height: number }, radius: number): number {
  const affordable = Math.sqrt((picture.width * picture.height) / MAX_PIXELS);
  return Math.max(1, Math.round(Math.max(radius / DISC_RADIUS, affordable)));
}

/**
 * Sums of linear light over squares of `reduction` pixels.
 * @param weigh writes the weights of a row's pixels, 0..1, of their opacities
 */
export function reduceLight(
  picture: Raster,
  opacity: Plane,
  reduction: number,
  weigh: (opacities: Float32Array, weights: Float32Array) => void,
): Light {
  const width = Math.ceil(picture.width / reduction);
  const height = Math.ceil(picture.height / reduction);
  const [red, green, blue, weight] = Array.from({ length: 4 }, () => new Float32Array(width * height)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const { data } = picture;
  const weights = new Float32Array(picture.width);
  for (let y = 0, from = 0; y < picture.height; y++) {
    weigh(opacity.data.subarray(y * picture.width, (y + 1) * picture.width), weights);
    const row = Math.floor(y / reduction) * width;
    for (let column = 0, x = 0; column < width; column++) {
      let r = 0;
      let g = 0;
      let b = 0;
      let w = 0;
      for (const end = Math.min(picture.width, x + reduction); x < end; x++, from += 3) {
        const share = weights[x] as number;
        if (share === 0) continue;
        r += share * (LIGHT_OF_CODE[data[from] as number] as number);
        g += share * (LIGHT_OF_CODE[data[from + 1] as number] as number);
        b += share * (LIGHT_OF_CODE[data[from + 2] as number] as number);
        w += share;
      }
      const to = row + column;
      red[to] = (red[to] ?? 0) + r;
      green[to] = (green[to] ?? 0) + g;
      blue[to] = (blue[to] ?? 0) + b;
      weight[to] = (weight[to] ?? 0) + w;
    }
  }
  return { width, height, reduction, red, green, blue, weight };
}

export function blurLight(picture: Raster, opacity: Plane, lens: Lens): Light {
  const reduction = lensReduction(picture, lens.radius);
  const background = reduceLight(picture, opacity, reduction, (opacities, weights) => {
    for (let at = 0; at < weights.length; at++) {
      weights[at] = smoothstep(PURE.from, PURE.to, 1 - (opacities[at] as number));
    }
  });
  const radius = lens.radius / reduction;
  excludeNearPeople(background, picture);
  brightenHighlights(background, lens.highlights, Math.ceil(radius));
  const { width, height } = background;
  const spread = (plane: Float32Array) => discSum(plane, width, height, radius);
  const blurred: Light = {
    ...background,
    red: spread(background.red),
    green: spread(background.green),
    blue: spread(background.blue),
    weight: spread(background.weight),
  };
  normalize(blurred);
  saturateDull(blurred, lens.vivid);
  return blurred;
}

function excludeNearPeople({ width, height, reduction, red, green, blue, weight }: Light, picture: Raster): void {
  const margin = Math.max(MARGIN.least, MARGIN.part * Math.max(picture.width, picture.height));
  const pure = new Float32Array(weight.length);
  for (let y = 0, at = 0; y < height; y++) {
    const rows = Math.min(reduction, picture.height - y * reduction);
    for (let x = 0; x < width; x++, at++) {
      const columns = Math.min(reduction, picture.width - x * reduction);
      pure[at] = (weight[at] as number) / (columns * rows);
    }
  }
  const free = boxMean(pure, width, height, Math.ceil(margin / reduction));
  for (let at = 0; at < weight.length; at++) {
    const share = MARGIN.weight + (1 - MARGIN.weight) * smoothstep(0.97, 0.999, free[at] ?? 0);
    red[at] = (red[at] ?? 0) * share;
    green[at] = (green[at] ?? 0) * share;
    blue[at] = (blue[at] ?? 0) * share;
    weight[at] = (weight[at] ?? 0) * share;
  }
}

/** Restores the brightness of clipped points of light; even areas stay unchanged. */
function brightenHighlights(light: Light, highlights: number, radius: number): void {
  if (highlights <= 0) return;
  const { width, height, red, green, blue, weight } = light;
  const brightness = new Float32Array(width * height);
  for (let at = 0; at < brightness.length; at++)
    brightness[at] = luminance(red[at] ?? 0, green[at] ?? 0, blue[at] ?? 0);
  const around = boxMean(brightness, width, height, radius);
  const known = boxMean(weight, width, height, radius);
  for (let at = 0; at < brightness.length; at++) {
    const share = weight[at] ?? 0;
    const surroundings = (around[at] ?? 0) / Math.max(1e-6, known[at] ?? 0);
    if (share <= 0 || surroundings <= 0) continue;
    const own = (brightness[at] ?? 0) / share;
    const top = Math.max(red[at] ?? 0, green[at] ?? 0, blue[at] ?? 0) / share;
    const lit =
      smoothstep(BRIGHT.from, BRIGHT.to, top) * smoothstep(CONTRAST_RANGE.from, CONTRAST_RANGE.to, own / surroundings);
    const gain = 1 + (MAX_GAIN - 1) * highlights * lit;
    red[at] = (red[at] ?? 0) * gain;
    green[at] = (green[at] ?? 0) * gain;
    blue[at] = (blue[at] ?? 0) * gain;
  }
}

/** Divides by weight; unknown pixels become zero. */
function normalize({ red, green, blue, weight }: Light): void {
  for (let at = 0; at < weight.length; at++) {
    const scale = 1 / Math.max(1e-4, weight[at] ?? 0);
    red[at] = (red[at] ?? 0) * scale;
    green[at] = (green[at] ?? 0) * scale;
    blue[at] = (blue[at] ?? 0) * scale;
  }
}

/** Dull colors gain more than strong ones, grays nothing. */
function saturateDull({ red, green, blue }: Light, vivid: number): void {
  if (vivid <= 0) return;
  for (let at = 0; at < red.length; at++) {
    const [r, g, b] = [red[at] ?? 0, green[at] ?? 0, blue[at] ?? 0];
    const most = Math.max(r, g, b);
    if (most <= 0) continue;
    const saturation = (most - Math.min(r, g, b)) / most;
    const gain = 1 + VIVID * vivid * (1 - saturation);
    const gray = luminance(r, g, b);
    red[at] = Math.max(0, gray + (r - gray) * gain);
    green[at] = Math.max(0, gray + (g - gray) * gain);
    blue[at] = Math.max(0, gray + (b - gray) * gain);
  }
}
