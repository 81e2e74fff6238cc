import { setImmediate as turn } from 'node:timers/promises';
import { type AiPipeline, BOKEH_PRESETS } from '@clearframe/contract';
import type { Work } from '../context/context.js';
import { composeBokeh } from './compose.js';
import { type Lens, throwOutOfFocus } from './lens.js';
import { decide, keepFaces, MATTE_SIDE, refineMatte, showsPerson } from './matte.js';
import { findPeople } from './person-mask.js';

export type BokehOptions = NonNullable<AiPipeline['bokeh']>;

/** Radius of the disc at aperture 1, as a part of the picture's longest side: a preview blurs as the full picture does. */
const WIDEST = 0.035;

/** A disc within its own pixel is none: a pinhole keeps everything sharp. */
const SMALLEST_RADIUS = 0.5;

/** Seconds for a megapixel of the picture on two cores; only for sharing out progress. */
export const BOKEH_SECONDS_PER_MEGAPIXEL = 0.3;

/** The lens that is asked for. Strength closes it, rather than mixing sharp and blurred, which would look double. */
export function lensOf(options: BokehOptions, picture: { width: number; height: number }): Lens {
  const { aperture, highlights, vivid } = 'model' in options ? BOKEH_PRESETS[options.model] : options;
  const strength = options.strength ?? 1;
  return {
    radius: aperture * strength * WIDEST * Math.max(picture.width, picture.height),
    highlights: highlights * strength,
    vivid: vivid * strength,
  };
}

/** Throws everything behind the people out of focus. Returns false, and leaves the picture alone, where it shows nobody. */
export async function blurBackground(
  work: Work,
  options: BokehOptions,
  onProgress: (fraction: number) => void,
): Promise<boolean> {
  const { signal, current, faces } = work;
  const reached = async (fraction: number) => {
    onProgress(fraction);
    // Lets a cancellation in: what follows would hold the thread for a while.
    await turn();
    signal.throwIfAborted();
  };
  const lens = lensOf(options, current);
  if (lens.radius < SMALLEST_RADIUS) return true;
  const session = await work.sessions.get('segment-person');
  const mask = await findPeople(session, current, faces, { longestSide: MATTE_SIDE, signal });
  if (!showsPerson(mask, faces)) return false;
  decide(mask);
  keepFaces(mask, faces, current.width);
  await reached(PARTS.found);
  const opacity = await refineMatte(mask, current, (part) => reached(between(PARTS.fitted, PARTS.refined, part)));
  const background = throwOutOfFocus(current, opacity, lens);
  await composeBokeh(current, opacity, { background, lens }, (part) => reached(between(PARTS.thrown, 1, part)));
  return true;
}

/** How far the work has come when people are found, the matte's model is fitted, the matte refined, the lens done. */
const PARTS = { found: 0.15, fitted: 0.35, refined: 0.5, thrown: 0.7 } as const;

const between = (from: number, to: number, part: number): number => from + (to - from) * part;
