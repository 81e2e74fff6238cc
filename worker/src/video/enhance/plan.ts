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
/** Faces in a frame that a plan assumes. */
const FACES = 2;
/** Search for faces, per frame, beside those that are followed: a search every few frames. */
const SEARCH_IN_FACES = 0.5;
/** Processes, networks and the copy of the original. */
const FIXED_SECONDS = 3;
/** A browser can't play the original: it is encoded, too. */
const TRANSCODING = 0.6;

/** The strongest recipe that ends in time on this machine. */
export function planVideo(video: Planned, aiPipeline: VideoPipeline, speed: MeasuredSpeed, maxSide: number): VideoPlan {
  const [width, height] = fittingSize(video, maxSide);
  const pixels = (video.frameCount * width * height) / 1e6;
  const signal = FIXED_SECONDS + pixels * speed.perMegapixel * (video.isBrowserPlayable ? 1 : 1 + TRANSCODING);
  const faces = signal + video.frameCount * speed.perFace * (FACES + SEARCH_IN_FACES);
  const isRestoring = aiPipeline.faceEnhance !== undefined && faces <= FACES_WITHIN;
  return { recipe: isRestoring ? 'faces' : 'signal', estimatedSeconds: Math.ceil(isRestoring ? faces : signal) };
}
