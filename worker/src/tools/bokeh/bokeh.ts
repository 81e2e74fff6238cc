import { setImmediate as turn } from 'node:timers/promises';
import { type AiPipeline, BOKEH_PRESETS } from '@clearframe/contract/pipeline';
import { BoxSpace } from '../../rasters/filters.js';
import { bytesAt, floatsAt, heap, kernels, reserve, withKernels } from '../../rasters/kernels.js';
import type { Raster } from '../../rasters/raster.js';
import type { Plane } from '../../rasters/row-sampler.js';
import { RowSampler } from '../../rasters/row-sampler.js';
import type { PipelineContext } from '../restoration/context.js';
import { LastResult } from '../restoration/last-result.js';
import {
  blurLight,
  CODE_OF_ROOT,
  joined,
  type Lens,
  LIGHT_OF_CODE,
  type Light,
  type ReducedLight,
  reduceLight,
  type Weigh,
} from './lens.js';
import { MATTE_SIDE, markFaces, ROWS_AT_ONCE, refineMatte, resolveUncertainty, showsPerson } from './matte.js';
import { findPeople } from './person-mask.js';

export type BokehOptions = NonNullable<AiPipeline['bokeh']>;

/** Radius at aperture 1, relative to the longest side, so that previews match. */
const WIDEST_RADIUS = 0.035;

/** Smaller discs stay within a pixel. */
const MIN_RADIUS = 0.5;

/** On two cores; used for progress. */
export const BOKEH_SECONDS_PER_MEGAPIXEL = 0.3;

/** Strength closes the aperture: mixing sharp and blurred would look double. */
export function lensOf(options: BokehOptions, picture: { width: number; height: number }): Lens {
  const { aperture, highlights, vivid } = 'model' in options ? BOKEH_PRESETS[options.model] : options;
  const strength = options.strength ?? 1;
  return {
    radius: aperture * strength * WIDEST_RADIUS * Math.max(picture.width, picture.height),
    highlights: highlights * strength,
    vivid: vivid * strength,
  };
}

/** Where people are, at full resolution, and the light near their edges; null without people. Independent of the lens. */
type Matte = { readonly opacity: Plane; readonly near: ReducedLight } | null;

const lastMatte = new LastResult<Matte>();

/**
 * Blurs everything behind people. Without people it changes nothing.
 * @returns what it applied; null: nothing
 */
export async function blurBackground(
  context: PipelineContext,
  options: BokehOptions,
  onProgress: (fraction: number) => void,
): Promise<Blur | null> {
  const { signal, current, faces, sessions } = context;
  const reached = async (fraction: number) => {
    onProgress(fraction);
    // Handles a cancellation before blocking work.
    await turn();
    signal.throwIfAborted();
  };
  const lens = lensOf(options, current);
  if (lens.radius < MIN_RADIUS) return null;
  const boxes = faces.map(({ box }) => box);
  const matte = await lastMatte.of(current, [sessions.fingerprint, boxes], () => matteOf(context, reached));
  sessions.clock.reuse('segment-person');
  if (!matte) return null;
  await reached(PARTS.refined);
  const { opacity, near } = matte;
  const background = blurLight(current, opacity, lens);
  const layers = { background, near, lens };
  return composeBokeh(current, opacity, layers, (part) => reached(between(PARTS.blurred, 1, part)));
}

async function matteOf(
  { signal, current, faces, sessions }: PipelineContext,
  reached: (fraction: number) => Promise<void>,
): Promise<Matte> {
  const session = await sessions.get('segment-person');
  const mask = await findPeople(session, current, faces, { longestSide: MATTE_SIDE, signal });
  if (!showsPerson(mask, faces)) return null;
  resolveUncertainty(mask);
  markFaces(mask, faces, current.width);
  await reached(PARTS.found);
  const opacity = await refineMatte(mask, current, (part) => reached(between(PARTS.fitted, PARTS.refined, part)));
  return { opacity, near: nearbyColors(current, opacity) };
}

/** Progress after each part. */
const PARTS = { found: 0.15, fitted: 0.35, refined: 0.5, blurred: 0.7 } as const;

const between = (from: number, to: number, part: number): number => from + (to - from) * part;

/** For the color of hair, relative to the longest side. */
const NEIGHBORHOOD = 0.006;
/** Maximum side of its squares in pixels. */
const MAX_REDUCTION = 4;
/** In reduced pixels; smaller discs need a smaller reduction. */
const MIN_DISC = 1.5;

export async function composeBokeh(
  picture: Raster,
  opacity: Plane,
  { background, near, lens }: { background: ReducedLight; near: ReducedLight; lens: Lens },
  onRows: (fraction: number) => Promise<void>,
): Promise<Blur> {
  const { width, height } = picture;
  const share = background.reduction === 1 ? 1 : Math.min(1, lens.radius / (MIN_DISC * background.reduction));
  const blur = { width, height, opacity, background, near, share };
  for (let y = 0; y < height; y += ROWS_AT_ONCE) {
    await onRows(y / height);
    blurRows(picture.data.subarray(3 * y * width, 3 * (y + ROWS_AT_ONCE) * width), blur, { width, height, first: y });
  }
  return blur;
}

/** Computed of a picture of a size. */
export interface Blur {
  readonly width: number;
  readonly height: number;
  /** Where people are. */
  readonly opacity: Plane;
  readonly background: ReducedLight;
  /** Light of people near each pixel, then of the background. */
  readonly near: ReducedLight;
  /** Share of the blurred picture in the result, 0..1. */
  readonly share: number;
}

/**
 * Blurs rows of a picture, in place, as that of which the blur was computed.
 * @param picture its size, which may be larger, and its row with which the rows begin
 */
export function blurRows(
  rows: Uint8Array,
  blur: Blur,
  { width, height, first }: { readonly width: number; readonly height: number; readonly first: number },
): void {
  const { opacity, background, near, share } = blur;
  withKernels(() => {
    const samplerOf = (reduced: ReducedLight) =>
      new RowSampler(
        reduced,
        reduced.floats,
        (reduced.width * reduced.reduction * width) / blur.width,
        (reduced.height * reduced.reduction * height) / blur.height,
        width,
      );
    const [behind, nearby] = [samplerOf(background), samplerOf(near)];
    const matte = new RowSampler(opacity, 1, width, height);
    const [pixels, target, alphas] = [reserve(3 * width), reserve(3 * width), reserve(4 * width)];
    const tables = reserve(LIGHT_OF_CODE.byteLength + CODE_OF_ROOT.byteLength);
    heap.floats.set(LIGHT_OF_CODE, tables >> 2);
    heap.floats.set(CODE_OF_ROOT, (tables >> 2) + LIGHT_OF_CODE.length);
    for (let y = first, at = 0; at < rows.length; y++, at += 3 * width) {
      const row = rows.subarray(at, at + 3 * width);
      heap.bytes.set(row, pixels);
      kernels.sampleGrays(matte.line(y), matte.columns, alphas, width);
      const [line, edge] = [behind.line(y), nearby.line(y)];
      kernels.composeRow(pixels, alphas, y, share, line, behind.columns, edge, nearby.columns, tables, target, width);
      row.set(bytesAt(target, row.length));
    }
  });
}

export function nearbyColors(picture: Raster, opacity: Plane): ReducedLight {
  const radius = NEIGHBORHOOD * Math.max(picture.width, picture.height);
  const reduction = Math.max(1, Math.min(MAX_REDUCTION, Math.round(radius / 3)));
  const lightOf = (weigh: Weigh) => averaged(reduceLight(picture, opacity, reduction, weigh), radius);
  return withKernels(() => joined([lightOf(PEOPLE), lightOf(BACKGROUND)]));
}

const PEOPLE: Weigh = (opacities, weights, count) => {
  heap.floats.copyWithin(weights >> 2, opacities >> 2, (opacities >> 2) + count);
};
const BACKGROUND: Weigh = (opacities, weights, count) => {
  floatsAt(weights, count).fill(1);
  kernels.addScaled(opacities, -1, weights, count);
};

function averaged(light: Light, radius: number): Light {
  const { width, height, reduction, planes, stride } = light;
  const reach = Math.max(1, Math.round(radius / reduction));
  const space = new BoxSpace(width, height);
  const [red, green, blue, weight] = [planes, planes + stride, planes + 2 * stride, planes + 3 * stride];
  space.mean(weight, reach);
  for (const plane of [red, green, blue]) {
    space.mean(plane, reach);
    kernels.divideBy(weight, 1e-5, plane, width * height);
  }
  return light;
}
