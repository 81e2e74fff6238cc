import { setImmediate as turn } from 'node:timers/promises';
import { type AiPipeline, BOKEH_PRESETS } from '@clearframe/contract';
import type { PipelineContext } from '../context/context.js';
import { composeBokeh } from './compose.js';
import { blurLight, type Lens } from './lens.js';
import { MATTE_SIDE, markFaces, refineMatte, resolveUncertainty, showsPerson } from './matte.js';
import { findPeople } from './person-mask.js';

export type BokehOptions = NonNullable<AiPipeline['bokeh']>;

/** Radius of the disc at aperture 1, relative to the longest side, so that a preview blurs like the full picture. */
const WIDEST_RADIUS = 0.035;

/** A smaller disc stays within its pixel: a pinhole keeps everything sharp. */
const MIN_RADIUS = 0.5;

/** Seconds per megapixel on two cores; used for progress only. */
export const BOKEH_SECONDS_PER_MEGAPIXEL = 0.3;

/** The requested lens. Strength closes the aperture: a mix of sharp and blurred would look double. */
export function lensOf(options: BokehOptions, picture: { width: number; height: number }): Lens {
  const { aperture, highlights, vivid } = 'model' in options ? BOKEH_PRESETS[options.model] : options;
  const strength = options.strength ?? 1;
  return {
    radius: aperture * strength * WIDEST_RADIUS * Math.max(picture.width, picture.height),
    highlights: highlights * strength,
    vivid: vivid * strength,
  };
}

/** Blurs everything behind the people. Returns false, and changes nothing, where the picture shows none. */
export async function blurBackground(
  context: PipelineContext,
  options: BokehOptions,
  onProgress: (fraction: number) => void,
): Promise<boolean> {
  const { signal, current, faces } = context;
  const reached = async (fraction: number) => {
    onProgress(fraction);
    // Lets a cancellation in before work that holds the thread.
    await turn();
    signal.throwIfAborted();
  };
  const lens = lensOf(options, current);
  if (lens.radius < MIN_RADIUS) return true;
  const session = await context.sessions.get('segment-person');
  const mask = await findPeople(session, current, faces, { longestSide: MATTE_SIDE, signal });
  if (!showsPerson(mask, faces)) return false;
  resolveUncertainty(mask);
  markFaces(mask, faces, current.width);
  await reached(PARTS.found);
  const opacity = await refineMatte(mask, current, (part) => reached(between(PARTS.fitted, PARTS.refined, part)));
  const background = blurLight(current, opacity, lens);
  await composeBokeh(current, opacity, { background, lens }, (part) => reached(between(PARTS.blurred, 1, part)));
  return true;
}

/** Progress once people are found, the matte's model is fitted, the matte refined, the lens applied. */
const PARTS = { found: 0.15, fitted: 0.35, refined: 0.5, blurred: 0.7 } as const;

const between = (from: number, to: number, part: number): number => from + (to - from) * part;
