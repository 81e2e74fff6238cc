import type { VideoPipeline, VideoPlan } from '@clearframe/contract';
import { fittingSize } from '../frames/filters.js';
import type { MeasuredSpeed } from './speed.js';

interface Planned {
  readonly width: number;
  readonly height: number;
  readonly frameCount: number;
  readonly isBrowserPlayable: boolean;
}

/** The recipe with networks must end within this many seconds. */
const FACES_WITHIN = 120;
/** More than that is the load of a moment. The networks then run on fewer frames, so that the recipe still ends in time. */
const MOST_SLOWED = 1.5;
/** Faces in a frame that a plan assumes. */
const FACES = 2;
/** Search for faces, per frame, beside those that are followed: a search every few frames. */
const SEARCH_IN_FACES = 0.5;
/** Processes, probes and measurements. */
const FIXED_SECONDS = 2;
/** Loading of the networks. */
const LOADING_SECONDS = 2;
/** A browser can't play the original: it is encoded, too. */
const TRANSCODING = 0.6;

/**
 * The strongest recipe that ends in time on this machine. `correction`: measured relative to planned time of recent videos;
 * of the recipe it decides only in part, because other work may have slowed them down.
 */
export function planVideo(
  video: Planned,
  aiPipeline: VideoPipeline,
  { perMegapixel, perFace }: MeasuredSpeed,
  maxSide: number,
  correction = 1,
): VideoPlan {
  const [width, height] = fittingSize(video, maxSide);
  const pixels = (video.frameCount * width * height) / 1e6;
  const signal = FIXED_SECONDS + pixels * perMegapixel * (video.isBrowserPlayable ? 1 : 1 + TRANSCODING);
  const faces = signal + LOADING_SECONDS + video.frameCount * perFace * (FACES + SEARCH_IN_FACES);
  const slowed = Math.min(correction, MOST_SLOWED);
  const isRestoring = aiPipeline.faceEnhance !== undefined && faces * slowed <= FACES_WITHIN;
  const estimated = (isRestoring ? faces : signal) * correction;
  return { recipe: isRestoring ? 'faces' : 'signal', estimatedSeconds: Math.ceil(estimated) };
}
