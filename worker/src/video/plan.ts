import { denoisesFrames, restoresFaces, type VideoPipeline, type VideoPlan } from '@clearframe/contract';
import { withTimeout } from '@clearframe/runtime/concurrency';
import { fittingSize } from './filters.js';
import type { MeasuredSpeed } from './speed.js';

interface Planned {
  readonly width: number;
  readonly height: number;
  readonly frameCount: number;
  readonly isBrowserPlayable: boolean;
}

/** Longest recipe with networks. */
const MAX_SECONDS = 120;
/** A larger correction is a temporary load, in which networks run on fewer frames. */
const MAX_SLOWDOWN = 1.5;
/** Per frame. */
const ASSUMED_FACES = 2;
/** The search for faces every few frames costs as much per frame as this many followed faces. */
const SEARCHED_FACES = 0.5;
/** Processes, probes and measurements. */
const FIXED_SECONDS = 2;
/** Loading of the networks. */
const LOADING_SECONDS = 2;
/** Cost of encoding an original that browsers can't play, relative to the result's. */
const TRANSCODING_SHARE = 0.6;

/**
 * The strongest recipe that ends in time on this machine.
 * @param correction measured relative to planned time of recent videos. Up to {@link MAX_SLOWDOWN} of it counts,
 * because other work may have slowed them down
 */
export function planVideo(
  video: Planned,
  aiPipeline: VideoPipeline,
  speed: MeasuredSpeed,
  maxSide: number,
  correction = 1,
): VideoPlan {
  const slowed = Math.min(correction, MAX_SLOWDOWN);
  const { faceEnhance, backgroundEnhance } = aiPipeline;
  const recipe =
    STRONGEST_FIRST.filter((each) => faceEnhance || !restoresFaces(each))
      .filter((each) => (backgroundEnhance && backgroundEnhance.strength !== 0) || !denoisesFrames(each))
      .find((each) => secondsOf(each, video, speed, maxSide) * slowed <= MAX_SECONDS) ?? 'signal';
  return { recipe, estimatedSeconds: Math.ceil(secondsOf(recipe, video, speed, maxSide) * correction) };
}

/** What a recipe takes while this machine is idle. */
export function secondsOf(
  recipe: VideoPlan['recipe'],
  video: Planned,
  { perMegapixel, perFace, perDenoisedMegapixel }: MeasuredSpeed,
  maxSide: number,
): number {
  const [width, height] = fittingSize(video, maxSide);
  const pixels = (video.frameCount * width * height) / 1e6;
  const signal = FIXED_SECONDS + pixels * perMegapixel * (video.isBrowserPlayable ? 1 : 1 + TRANSCODING_SHARE);
  const faces = LOADING_SECONDS + video.frameCount * perFace * (ASSUMED_FACES + SEARCHED_FACES);
  const frames = pixels * perDenoisedMegapixel;
  return signal + (restoresFaces(recipe) ? faces : 0) + (denoisesFrames(recipe) ? frames : 0);
}

/** Faces that can be told are worth more than clean backgrounds. */
const STRONGEST_FIRST = ['faces_and_frames', 'faces', 'frames'] as const;

/** Two cores of an EPYC (`bench video`). */
const ASSUMED: MeasuredSpeed = { perMegapixel: 0.04, perFace: 0.05, perDenoisedMegapixel: 0.2 };
/** Measuring takes two seconds on quiet cores, and a minute where other work takes them all. */
const WAIT_MS = 4000;

/** The speed of this worker: measured once, at the first need. */
export class WorkerSpeed {
  private measuring: Promise<MeasuredSpeed> | null = null;

  constructor(private readonly measure: () => Promise<MeasuredSpeed>) {}

  /** Begins to measure; a failed measurement is repeated at the next call. */
  start(): Promise<MeasuredSpeed> {
    this.measuring ??= this.measure().catch((error) => {
      this.measuring = null;
      throw error;
    });
    this.measuring.catch(() => undefined);
    return this.measuring;
  }

  /** The assumed speed while measuring takes longer than a request can wait. */
  known(): Promise<MeasuredSpeed> {
    return withTimeout(this.start(), WAIT_MS, () => ASSUMED);
  }
}
