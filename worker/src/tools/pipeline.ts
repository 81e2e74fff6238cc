import type { AiPipeline } from '@clearframe/contract';
import { DEFAULT_DETECTOR_RES, detectFaces } from '../ai/face-detector.js';
import type { Role } from '../ai/manifest.js';
import type { Raster } from '../ai/raster.js';
import type { Sessions } from '../ai/sessions.js';
import { assertAvailable } from './availability.js';
import { backgroundReduction, enhanceBackground, SECONDS_PER_MEGAPIXEL } from './background-enhance.js';
import type { FaceReport, Work } from './context.js';
import { measureDetail } from './detail.js';
import { enhanceFaces, secondsForFaces } from './face-enhance.js';

export interface StepTiming {
  step: string;
  /** Wall clock of the step. */
  ms: number;
  /** The part of it spent inside the networks. */
  sessionMs: number;
}

export interface PipelineOptions {
  faceDetectorMaxInputRes?: number | undefined;
  signal: AbortSignal;
  onProgress(fraction: number): void;
}

export interface PipelineResult {
  raster: Raster;
  faces: FaceReport[];
  timings: StepTiming[];
}

interface Step {
  name: string;
  wanted(pipeline: AiPipeline): boolean;
  /** Estimated seconds; grows truer as earlier steps fill in the work. */
  seconds(work: Work, pipeline: AiPipeline): number;
  run(
    work: Work,
    pipeline: AiPipeline,
    options: PipelineOptions,
    onProgress: (fraction: number) => void,
  ): Promise<void>;
}

/**
 * The steps, in the order in which they always run: noise is taken from the whole before restored faces are laid
 * in, because those come from the original and are already clean.
 */
const STEPS: readonly Step[] = [
  {
    name: 'measure',
    wanted: (pipeline) => pipeline.backgroundEnhance !== undefined,
    seconds: () => 0.1,
    run: async (work) => {
      const { width, height } = work.original;
      work.softness = measureDetail(work.original, { x: 0, y: 0, width, height }).softness;
    },
  },
  {
    name: 'detect_faces',
    wanted: (pipeline) => pipeline.faceEnhance !== undefined,
    seconds: () => 0.4,
    run: async (work, _pipeline, options, onProgress) => {
      work.faces = await detectFaces(await work.sessions.get('detect-face'), work.original, {
        maxInputRes: options.faceDetectorMaxInputRes ?? DEFAULT_DETECTOR_RES,
        signal: work.signal,
        onWindow: (done, total) => onProgress(done / total),
      });
    },
  },
  {
    name: 'background_enhance',
    wanted: (pipeline) => pipeline.backgroundEnhance !== undefined,
    seconds: (work) => {
      const pixels = (work.original.width * work.original.height) / backgroundReduction(work.softness) ** 2;
      return (pixels / 1e6) * SECONDS_PER_MEGAPIXEL;
    },
    run: async (work, pipeline, _options, onProgress) => {
      const { model = 'base', strength = 1 } = pipeline.backgroundEnhance ?? {};
      await enhanceBackground(work, { model, strength }, onProgress);
    },
  },
  {
    name: 'face_enhance',
    wanted: (pipeline) => pipeline.faceEnhance !== undefined,
    seconds: (work, pipeline) => secondsForFaces(work, pipeline.faceEnhance?.model ?? 'base'),
    run: async (work, pipeline, _options, onProgress) => {
      const { model = 'base', strength = 1 } = pipeline.faceEnhance ?? {};
      await enhanceFaces(work, { model, strength }, onProgress);
    },
  },
];

/** The networks that a pipeline uses, so that they can be named in its recipe. */
export function rolesOf(pipeline: AiPipeline): Role[] {
  const roles: Role[] = [];
  if (pipeline.backgroundEnhance || pipeline.faceEnhance) roles.push('restore-photo');
  if (pipeline.faceEnhance) roles.push('restore-face', 'detect-face', 'face-mesh');
  return roles;
}

/** Runs the wanted steps on a picture. The input is not changed. Throws `ToolNotAvailableError` before it starts. */
export async function runPipeline(
  sessions: Sessions,
  input: Raster,
  pipeline: AiPipeline,
  options: PipelineOptions,
): Promise<PipelineResult> {
  assertAvailable(pipeline);
  const work: Work = {
    sessions,
    signal: options.signal,
    original: input,
    current: { ...input, data: Uint8Array.from(input.data) },
    softness: 1,
    cleaned: null,
    faces: [],
    reports: [],
  };
  const steps = STEPS.filter((step) => step.wanted(pipeline));
  const timings: StepTiming[] = [];
  const progress = new Progress(options.onProgress);
  for (const [index, step] of steps.entries()) {
    options.signal.throwIfAborted();
    const remaining = steps.slice(index).map((each) => each.seconds(work, pipeline));
    const report = progress.begin(remaining);
    const start = performance.now();
    const inferenceStart = sessions.clock.total;
    await step.run(work, pipeline, options, report);
    report(1);
    timings.push({ step: step.name, ms: performance.now() - start, sessionMs: sessions.clock.total - inferenceStart });
  }
  return { raster: work.current, faces: work.reports, timings };
}

/** Shares what is left of the bar among the remaining steps by their estimates; never runs backwards. */
class Progress {
  readonly #report: (fraction: number) => void;
  #done = 0;

  constructor(report: (fraction: number) => void) {
    this.#report = report;
  }

  begin(remainingSeconds: readonly number[]): (fraction: number) => void {
    const [own = 0] = remainingSeconds;
    const total = remainingSeconds.reduce((sum, seconds) => sum + seconds, 0);
    const start = this.#done;
    const width = total > 0 ? ((1 - start) * own) / total : 1 - start;
    return (fraction) => {
      const value = Math.min(1, start + width * Math.min(1, fraction));
      if (value <= this.#done) return;
      this.#done = value;
      this.#report(value);
    };
  }
}
