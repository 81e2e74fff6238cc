import { setImmediate as turn } from 'node:timers/promises';
import { type AiPipeline, BOKEH_PRESETS } from '@clearframe/contract/pipeline';
import type { Plane } from '../../rasters/guided-filter.js';
import type { PipelineContext } from '../restoration/context.js';
import { LastResult } from '../restoration/last-result.js';
import { composeBokeh, nearbyColors } from './compose.js';
import { blurLight, type Lens, type ReducedLight } from './lens.js';
import { MATTE_SIDE, markFaces, refineMatte, resolveUncertainty, showsPerson } from './matte.js';
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

/** Blurs everything behind people. Without people it changes nothing. */
export async function blurBackground(
  context: PipelineContext,
  options: BokehOptions,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { signal, current, faces, sessions } = context;
  const reached = async (fraction: number) => {
    onProgress(fraction);
    // Handles a cancellation before blocking work.
    await turn();
    signal.throwIfAborted();
  };
  const lens = lensOf(options, current);
  if (lens.radius < MIN_RADIUS) return;
  const boxes = faces.map(({ box }) => box);
  const matte = await lastMatte.of(current, [sessions.fingerprint, boxes], () => matteOf(context, reached));
  sessions.clock.reuse('segment-person');
  if (!matte) return;
  await reached(PARTS.refined);
  const { opacity, near } = matte;
  const background = blurLight(current, opacity, lens);
  const layers = { background, near, lens };
  await composeBokeh(current, opacity, layers, (part) => reached(between(PARTS.blurred, 1, part)));
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
