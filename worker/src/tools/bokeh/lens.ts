import { BoxSpace } from '../../rasters/filters.js';
import { bytesAt, floatsAt, heap, kernels, reserve, withKernels } from '../../rasters/kernels.js';
import { stepOf } from '../../rasters/ramp.js';
import type { Raster } from '../../rasters/raster.js';
import type { Plane } from '../../rasters/row-sampler.js';

/** A reduced picture in linear light: planes of floats in the kernels' memory. */
export interface Light {
  readonly width: number;
  readonly height: number;
  /** Pixels of the picture per pixel side. */
  readonly reduction: number;
  /** Address of red, followed by green, blue and how much of a pixel is known, `stride` bytes apart. */
  readonly planes: number;
  readonly stride: number;
}

/** Light of four floats a pixel, or of several pictures side by side. */
export interface ReducedLight {
  readonly width: number;
  readonly height: number;
  readonly reduction: number;
  readonly floats: number;
  readonly data: Float32Array;
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
 * pixel or two off, and a rim of the subject would show as a bright ring.
 */
const MARGIN = { part: 0.003, least: 2, weight: 0.003 } as const;
/** Share of background around a pixel from which it counts, and counts fully. */
const FREE = { from: 0.97, to: 0.999 } as const;
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

/** Writes the weights of a row's pixels, 0..1, of their opacities. Addresses of floats. */
export type Weigh = (opacities: number, weights: number, count: number) => void;

/** Sums of linear light over squares of `reduction` pixels. Within {@link withKernels}. */
export function reduceLight(picture: Raster, opacity: Plane, reduction: number, weigh: Weigh): Light {
  const { width: count } = picture;
  const width = Math.ceil(count / reduction);
  const height = Math.ceil(picture.height / reduction);
  // Kernels may write beyond the end of a plane.
  const stride = 4 * width * height + 16;
  const planes = reserve(4 * stride);
  const [lights, pixels, linear] = [reserve(LIGHT_OF_CODE.byteLength), reserve(3 * count), reserve(16 * count)];
  const [opacities, weights, sums] = [reserve(4 * count), reserve(4 * count), reserve(16 * width)];
  heap.floats.set(LIGHT_OF_CODE, lights >> 2);
  for (let row = 0; row < height; row++) {
    floatsAt(sums, 4 * width).fill(0);
    for (let y = row * reduction; y < Math.min(picture.height, (row + 1) * reduction); y++) {
      heap.bytes.set(picture.data.subarray(y * count * 3, (y + 1) * count * 3), pixels);
      heap.floats.set(opacity.data.subarray(y * count, (y + 1) * count), opacities >> 2);
      kernels.linearize(pixels, lights, linear, count);
      weigh(opacities, weights, count);
      kernels.reduceLight(linear, weights, reduction, sums, count);
    }
    kernels.separate(sums, planes + 4 * row * width, stride, width);
  }
  return { width, height, reduction, planes, stride };
}

/** Pixels of equally large pictures side by side. */
export function joined(lights: readonly [Light, ...Light[]]): ReducedLight {
  const { width, height, reduction } = lights[0];
  const floats = 4 * lights.length;
  const pixels = reserve(4 * floats * width * height);
  for (const [index, { planes, stride }] of lights.entries()) {
    kernels.join(planes, stride, pixels + 16 * index, 4 * floats, width * height);
  }
  return { width, height, reduction, floats, data: floatsAt(pixels, floats * width * height).slice() };
}

/** Weights by opacity: how much of the background a pixel is. */
const pureBackground: Weigh = (opacities, weights, count) => {
  const [scale, offset] = stepOf(PURE);
  kernels.smoothSteps(opacities, -scale, scale + offset, weights, count);
};

export function blurLight(picture: Raster, opacity: Plane, lens: Lens): ReducedLight {
  return withKernels(() => {
    const reduction = lensReduction(picture, lens.radius);
    const background = reduceLight(picture, opacity, reduction, pureBackground);
    const { width, height, planes, stride } = background;
    const radius = lens.radius / reduction;
    excludeNearPeople(background, picture);
    brightenHighlights(background, lens.highlights, Math.ceil(radius));
    for (let plane = planes; plane < planes + 4 * stride; plane += stride) discSum(plane, width, height, radius);
    kernels.finishLight(planes, stride, VIVID * lens.vivid, width * height);
    return joined([background]);
  });
}

function excludeNearPeople({ width, height, reduction, planes, stride }: Light, picture: Raster): void {
  const margin = Math.max(MARGIN.least, MARGIN.part * Math.max(picture.width, picture.height));
  const free = reserve(stride);
  const weights = floatsAt(planes + 3 * stride, width * height);
  const pure = floatsAt(free, width * height);
  for (let y = 0, at = 0; y < height; y++) {
    const rows = Math.min(reduction, picture.height - y * reduction);
    for (let x = 0; x < width; x++, at++) {
      const columns = Math.min(reduction, picture.width - x * reduction);
      pure[at] = (weights[at] as number) / (columns * rows);
    }
  }
  new BoxSpace(width, height).mean(free, Math.ceil(margin / reduction));
  const [scale, offset] = stepOf(FREE);
  kernels.excludeLight(free, scale, offset, MARGIN.weight, planes, stride, width * height);
}

/** Restores the brightness of clipped points of light; even areas stay unchanged. */
function brightenHighlights({ width, height, planes, stride }: Light, highlights: number, radius: number): void {
  if (highlights <= 0) return;
  const [around, known, steps] = [reserve(stride), reserve(stride), reserve(16)];
  const weights = (planes + 3 * stride) >> 2;
  kernels.luminances(planes, stride, around, width * height);
  heap.floats.copyWithin(known >> 2, weights, weights + width * height);
  const space = new BoxSpace(width, height);
  for (const plane of [around, known]) space.mean(plane, radius);
  heap.floats.set([...stepOf(BRIGHT), ...stepOf(CONTRAST_RANGE)], steps >> 2);
  kernels.brightenLight(planes, stride, around, known, (MAX_GAIN - 1) * highlights, steps, width * height);
}

/**
 * Sum over a disc around every pixel, in place; zero outside the picture. Rim pixels count in part, so the radius (at
 * least half a pixel) may be fractional. Running sums make the cost proportional to the disc's rows. `plane`: an
 * address of floats, within {@link withKernels}.
 */
export function discSum(plane: number, width: number, height: number, radius: number): void {
  const spans = discSpans(Math.max(0.5, radius));
  const reach = spans.length - 1;
  const pad = Math.ceil(radius) + 2;
  // Running sums of rows, also of those that are already replaced; doubles, because spans are small differences.
  const ring = Array.from({ length: 2 * reach + 1 }, () => reserve(8 * (width + 2 * pad + 1)));
  const sumsAt = (row: number) => ring[row % ring.length] as number;
  const totals = reserve(8 * width);
  const line = reserve(4 * width);
  for (let y = -reach; y < height; y++) {
    const entering = y + reach;
    if (entering < height) kernels.runningSums(plane + 4 * entering * width, width, pad, sumsAt(entering));
    if (y < 0) continue;
    bytesAt(totals, 8 * width).fill(0);
    for (let off = -reach; off <= reach; off++) {
      const span = spans[Math.abs(off)];
      if (span && y + off >= 0 && y + off < height) addSpan(totals, sumsAt(y + off), pad, span, width);
    }
    kernels.narrow(totals, line, width);
    heap.floats.copyWithin((plane >> 2) + y * width, line >> 2, (line >> 2) + width);
  }
}

interface Span {
  /** Half the length, from the middle pixel. */
  half: number;
  /** Share of the row inside the disc, 0..1. */
  weight: number;
}

/** Rows from the middle outwards. */
function discSpans(radius: number): Span[] {
  const spans: Span[] = [];
  for (let off = 0; off < radius + 0.5; off++) {
    // A chord runs between pixel centers plus half a pixel at both ends.
    const half = Math.max(0, Math.sqrt(Math.max(0, radius * radius - off * off)) - 0.5);
    spans.push({ half, weight: Math.min(1, radius + 0.5 - off) });
  }
  return spans;
}

/** Outermost pixels count in part. Addresses of doubles. */
function addSpan(totals: number, sums: number, pad: number, { half, weight }: Span, width: number): void {
  const whole = Math.floor(half);
  const part = (half - whole) * weight;
  kernels.addSpan(sums + 8 * (pad - whole), sums + 8 * (pad + 1 + whole), weight - part, part, totals, width);
}

/**
 * sRGB transfer function (IEC 61966-2-1), shared by Display P3. Lenses add light: blurred codes are too dark around
 * highlights.
 */
export const LIGHT_OF_CODE: Float32Array = Float32Array.from({ length: 256 }, (_, code) => {
  const value = code / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

/** Steps of the table of codes, also in the kernel. */
const STEPS = 2048;
/** Unrounded codes by the square root of light, which resolves darks about as finely as codes. The last one stands twice. */
export const CODE_OF_ROOT: Float32Array = Float32Array.from({ length: STEPS + 2 }, (_, step) => {
  const light = Math.min(1, (step / STEPS) ** 2);
  return 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055);
});
