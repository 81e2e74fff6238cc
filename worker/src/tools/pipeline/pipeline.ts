import type { AiPipeline } from '@clearframe/contract';
import { DEFAULT_DETECTOR_RES, detectFaces } from '../../networks/faces/face-detector.js';
import type { Role } from '../../networks/manifest.js';
import type { Sessions } from '../../networks/sessions.js';
import type { Raster } from '../../rasters/raster.js';
import { enhanceBackground, secondsForBackground } from '../background/enhance-background.js';
import { BOKEH_SECONDS_PER_MEGAPIXEL, blurBackground } from '../bokeh/bokeh.js';
import { COLOR_SECONDS, enhanceColor } from '../color/enhance-color.js';
import type { FaceReport, LeftAlone, PipelineContext } from '../context/context.js';
import { measurePicture } from '../context/measure.js';
import { enhanceFaces, secondsForFaces } from '../face/enhance/enhance-faces.js';
import { liftFaces, secondsForLifting } from '../face/lifting/face-lifting.js';
import { verifyFaces } from '../face/verification/verify-faces.js';

export interface StepTiming {
  step: string;
  ms: number;
  /** Part of `ms` inside networks. */
  sessionMs: number;
}

export interface PipelineOptions {
  faceDetectorMaxInputRes?: number | undefined;
  /** 16-bit samples of the input; see {@link keepsDepth}. */
  deep?: Uint16Array | undefined;
  /** Absent: sRGB. */
  icc?: Uint8Array | undefined;
  signal: AbortSignal;
  onProgress(fraction: number): void;
}

export interface PipelineResult {
  raster: Raster;
  /** 16 bits, if the input was. */
  deep: Uint16Array | null;
  faces: FaceReport[];
  timings: StepTiming[];
  /** Tools that changed nothing. */
  leftAlone: LeftAlone[];
}

interface Step {
  name: string;
  wanted(pipeline: AiPipeline): boolean;
  /** Estimate; more accurate after earlier steps. */
  seconds(context: PipelineContext, pipeline: AiPipeline): number;
  run(
    context: PipelineContext,
    pipeline: AiPipeline,
    options: PipelineOptions,
    onProgress: (fraction: number) => void,
  ): Promise<void>;
}

/**
 * In order. The whole picture is denoised before restored faces, which come from the original and are already clean,
 * are blended in.
 */
const STEPS: readonly Step[] = [
  {
    name: 'measure',
    wanted: (pipeline) => pipeline.backgroundEnhance !== undefined || pipeline.faceEnhance !== undefined,
    seconds: () => 0.1,
    run: async (context) => {
      Object.assign(context, await measurePicture(context.original));
    },
  },
  {
    name: 'detect_faces',
    wanted: ({ faceEnhance, faceLifting, bokeh }) => (faceEnhance ?? faceLifting ?? bokeh) !== undefined,
    seconds: () => 0.4,
    run: async (context, _pipeline, options, onProgress) => {
      const candidates = await detectFaces(await context.sessions.get('detect-face'), context.original, {
        maxInputRes: options.faceDetectorMaxInputRes ?? DEFAULT_DETECTOR_RES,
        signal: context.signal,
        onWindow: (done, total) => onProgress(done / total),
      });
      const mesh = await context.sessions.get('face-mesh');
      context.faces = await verifyFaces(mesh, context, candidates);
    },
  },
  {
    name: 'background_enhance',
    wanted: (pipeline) => pipeline.backgroundEnhance !== undefined,
    seconds: (context, pipeline) => secondsForBackground(context, pipeline.backgroundEnhance?.model ?? 'base'),
    run: async (context, pipeline, _options, onProgress) => {
      const { model = 'base', strength = 1 } = pipeline.backgroundEnhance ?? {};
      await enhanceBackground(context, { model, strength }, onProgress);
    },
  },
  {
    name: 'face_enhance',
    wanted: (pipeline) => pipeline.faceEnhance !== undefined,
    seconds: (context, pipeline) => secondsForFaces(context, pipeline.faceEnhance?.model ?? 'base'),
    run: async (context, pipeline, _options, onProgress) => {
      const { model = 'base', strength = 1 } = pipeline.faceEnhance ?? {};
      await enhanceFaces(context, { model, strength }, onProgress);
      if (context.reports.every(({ blend }) => blend === 0)) context.leftAlone.push('face_enhance');
    },
  },
  {
    name: 'face_lifting',
    wanted: (pipeline) => pipeline.faceLifting !== undefined,
    seconds: secondsForLifting,
    run: async (context, { faceLifting }, _options, onProgress) => {
      if (!faceLifting) return;
      const { model, strength = 1 } = faceLifting;
      if (!(await liftFaces(context, { model, strength }, onProgress))) context.leftAlone.push('face_lifting');
    },
  },
  {
    name: 'bokeh',
    wanted: (pipeline) => pipeline.bokeh !== undefined,
    seconds: ({ original }) => 0.1 + ((original.width * original.height) / 1e6) * BOKEH_SECONDS_PER_MEGAPIXEL,
    run: async (context, { bokeh }, _options, onProgress) => {
      if (bokeh && !(await blurBackground(context, bokeh, onProgress))) context.leftAlone.push('bokeh');
    },
  },
  {
    name: 'color_enhance',
    wanted: (pipeline) => pipeline.colorEnhance !== undefined,
    seconds: ({ original }) =>
      COLOR_SECONDS.fixed + ((original.width * original.height) / 1e6) * COLOR_SECONDS.perMegapixel,
    run: async (context, { colorEnhance }, _options, onProgress) => {
      if (colorEnhance) await enhanceColor(context, colorEnhance, onProgress);
    },
  },
];

/** Only colour keeps 16 bits a sample; networks have 8. */
export function keepsDepth(pipeline: AiPipeline): boolean {
  return Object.keys(pipeline).every((tool) => tool === 'colorEnhance');
}

/** Networks of a pipeline, for its recipe. */
export function rolesOf(pipeline: AiPipeline): Role[] {
  const roles: Role[] = [];
  if (pipeline.backgroundEnhance || pipeline.faceEnhance) roles.push('restore-photo');
  if (pipeline.faceEnhance) roles.push('restore-face', 'restore-small-face');
  if (pipeline.faceEnhance || pipeline.faceLifting || pipeline.bokeh) roles.push('detect-face', 'face-mesh');
  if (pipeline.faceEnhance || pipeline.faceLifting) roles.push('recognize-face');
  if (pipeline.bokeh) roles.push('segment-person');
  return roles;
}

/** Does not change the input. */
export async function runPipeline(
  sessions: Sessions,
  input: Raster,
  pipeline: AiPipeline,
  options: PipelineOptions,
): Promise<PipelineResult> {
  const context: PipelineContext = {
    sessions,
    signal: options.signal,
    original: input,
    current: { ...input, data: Uint8Array.from(input.data) },
    assessed: null,
    noiseless: null,
    cleaned: null,
    faces: [],
    reports: [],
    deep: options.deep ? Uint16Array.from(options.deep) : null,
    icc: options.icc ?? null,
    leftAlone: [],
  };
  const steps = STEPS.filter((step) => step.wanted(pipeline));
  const timings: StepTiming[] = [];
  const progress = new Progress(options.onProgress);
  for (const [index, step] of steps.entries()) {
    options.signal.throwIfAborted();
    const remaining = steps.slice(index).map((each) => each.seconds(context, pipeline));
    const report = progress.begin(remaining);
    const start = performance.now();
    const inferenceStart = sessions.clock.total;
    await step.run(context, pipeline, options, report);
    report(1);
    timings.push({ step: step.name, ms: performance.now() - start, sessionMs: sessions.clock.total - inferenceStart });
  }
  return { raster: context.current, deep: context.deep, faces: context.reports, timings, leftAlone: context.leftAlone };
}

/** Splits remaining progress among steps by their estimates; never decreases. */
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
