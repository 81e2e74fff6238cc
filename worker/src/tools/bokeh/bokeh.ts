import { setImmediate as turn } from 'node:timers/promises';
import { type AiPipeline, BOKEH_PRESETS } from '@clearframe/contract/pipeline';
import type { PipelineContext } from '../context/context.js';
import { composeBokeh } from './compose.js';
import { blurLight, type Lens } from './lens.js';
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

/** Blurs everything behind people. Without people it changes nothing. */
export async function blurBackground(
  context: PipelineContext,
  options: BokehOptions,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { signal, current, faces } = context;
  const reached = async (fraction: number) => {
    onProgress(fraction);
    // Handles a cancellation before blocking work.
    await turn();
    signal.throwIfAborted();
  };
  const lens = lensOf(options, current);
  if (lens.radius < MIN_RADIUS) return;
  const session = await context.sessions.get('segment-person');
  const mask = await findPeople(session, current, faces, { longestSide: MATTE_SIDE, signal });
  if (!showsPerson(mask, faces)) return;
  resolveUncertainty(mask);
  markFaces(mask, faces, current.width);
  await reached(PARTS.found);
  const opacity = await refineMatte(mask, current, (part) => reached(between(PARTS.fitted, PARTS.refined, part)));
  const background = blurLight(current, opacity, lens);
  await composeBokeh(current, opacity, { background, lens }, (part) => reached(between(PARTS.blurred, 1, part)));
}

/** Progress after each part. */
const PARTS = { found: 0.15, fitted: 0.35, refined: 0.5, blurred: 0.7 } as const;

const between = (from: number, to: number, part: number): number => from + (to - from) * part;
