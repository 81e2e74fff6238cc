import type { AiPipeline } from '@clearframe/contract/pipeline';
import { DEFAULT_DETECTOR_RES } from '../../networks/face-detector.js';
import type { Role } from '../../networks/manifest.js';
import { BackgroundRestoration, secondsForBackground } from '../background/enhance-background.js';
import { BOKEH_SECONDS_PER_MEGAPIXEL, blurBackground } from '../bokeh/bokeh.js';
import { COLOR_SECONDS, enhanceColor } from '../color/enhance-color.js';
import { blendAgain } from '../face/blend-face.js';
import { FaceRestoration, secondsForFaces } from '../face/enhance-faces.js';
import { liftFaces, secondsForLifting } from '../face/face-lifting.js';
import { FaceSearch } from '../face/find-faces.js';
import type { LeftAlone, PipelineContext } from '../restoration/context.js';
import { measurePicture } from '../restoration/context.js';
import type { BackgroundPart, FacesPart, KeptParts } from './kept-parts.js';

export interface Work {
  readonly context: PipelineContext;
  readonly pipeline: AiPipeline;
  readonly isEnlarged: boolean;
  readonly faceDetectorMaxInputRes: number | undefined;
  readonly kept: KeptParts | null;
  /** Background of an earlier run. */
  readonly background: BackgroundPart | null;
  readonly faces: FacesPart | null;
  /** Null before it begins. */
  search: FaceSearch | null;
  /** Null before they begin. */
  restorations: { background: BackgroundRestoration | null; faces: FaceRestoration | null };
  /** Whether the current picture shows the faces at full strength. */
  isBlended: boolean;
  /** Networks that ran, by step. */
  readonly ran: Map<string, Set<Role>>;
}

export interface Step {
  readonly name: string;
  wanted(work: Work): boolean;
  /** Estimate; more accurate after earlier steps. */
  seconds(work: Work): number;
  /** Starts what does not depend on the step `before`, to run beside it. */
  readonly ahead?: { readonly before: string; start(work: Work): void };
  run(work: Work, onProgress: (fraction: number) => void): Promise<void>;
}

interface FinishingStep extends Step {
  readonly tool: LeftAlone;
}

export const restoresPicture = ({ pipeline, isEnlarged }: Work): boolean =>
  isEnlarged || pipeline.backgroundEnhance !== undefined;

const modelOf = ({ backgroundEnhance }: AiPipeline) => backgroundEnhance?.model ?? 'enlarged';
function backgroundOf({ context, pipeline, restorations }: Work): BackgroundRestoration {
  restorations.background ??= new BackgroundRestoration(context, modelOf(pipeline));
  return restorations.background;
}

function facesOf({ context, pipeline, restorations }: Work): FaceRestoration {
  restorations.faces ??= new FaceRestoration(context, pipeline.faceEnhance?.model ?? 'base');
  return restorations.faces;
}

function searchOf(work: Work): FaceSearch {
  work.search ??= new FaceSearch(work.context, work.faceDetectorMaxInputRes ?? DEFAULT_DETECTOR_RES);
  return work.search;
}

const megapixelsOf = ({ context: { original } }: Work): number => (original.width * original.height) / 1e6;

/** Seconds to read kept pixels. */
const READING_SECONDS = 0.05;

/**
 * In order, all at full strength, so that runs with other strengths can share the work. The picture is denoised before
 * restored faces, which are already clean, are blended in.
 */
export const RESTORING_STEPS: readonly Step[] = [
  {
    name: 'measure',
    wanted: (work) =>
      (restoresPicture(work) && !work.background) || (work.pipeline.faceEnhance !== undefined && !work.faces),
    seconds: () => 0.1,
    run: async ({ context }) => {
      Object.assign(context, await measurePicture(context.original));
    },
  },
  {
    name: 'detect_faces',
    wanted: ({ pipeline: { faceEnhance, faceLifting, bokeh }, faces }) =>
      (faceEnhance ?? faceLifting ?? bokeh) !== undefined && !faces,
    seconds: () => 0.4,
    ahead: { before: 'measure', start: (work) => searchOf(work).begin() },
    run: async (work, onProgress) => {
      work.context.faces = await searchOf(work).finish(onProgress);
    },
  },
  {
    name: 'background_enhance',
    wanted: restoresPicture,
    seconds: ({ context, pipeline, background }) =>
      background ? READING_SECONDS : secondsForBackground(context, modelOf(pipeline)),
    ahead: {
      before: 'detect_faces',
      start: (work) => {
        if (!work.background) backgroundOf(work).begin();
      },
    },
    run: async (work, onProgress) => {
      const { context, background } = work;
      if (background) {
        context.current.data.set(background.picture.data);
        context.background = background.picture;
        return;
      }
      await backgroundOf(work).finish(onProgress);
      context.background = { ...context.current, data: Uint8Array.from(context.current.data) };
    },
  },
  {
    name: 'face_enhance',
    wanted: ({ pipeline }) => pipeline.faceEnhance !== undefined,
    seconds: ({ context, faces }) => (faces ? READING_SECONDS : secondsForFaces(context)),
    ahead: {
      before: 'background_enhance',
      start: (work) => {
        if (!work.faces) facesOf(work).begin();
      },
    },
    run: async (work, onProgress) => {
      const { context, faces, kept } = work;
      // The same blending was measured in this picture.
      const isMeasured = faces !== null && faces.over === kept?.variants.background;
      if (!faces) await facesOf(work).finish(onProgress);
      else {
        context.faces = [...faces.faces];
        context.patches = [...faces.patches];
        if (!isMeasured) await blendAgain(context);
      }
      work.isBlended = !isMeasured;
    },
  },
];

export const FINISHING_STEPS: readonly FinishingStep[] = [
  {
    name: 'face_lifting',
    tool: 'face_lifting',
    wanted: ({ pipeline }) => pipeline.faceLifting !== undefined,
    seconds: ({ context }) => secondsForLifting(context),
    run: async ({ context, pipeline: { faceLifting } }, onProgress) => {
      if (faceLifting) await liftFaces(context, { strength: 1, ...faceLifting }, onProgress);
    },
  },
  {
    name: 'bokeh',
    tool: 'bokeh',
    wanted: ({ pipeline }) => pipeline.bokeh !== undefined,
    seconds: (work) => 0.1 + megapixelsOf(work) * BOKEH_SECONDS_PER_MEGAPIXEL,
    run: async ({ context, pipeline: { bokeh } }, onProgress) => {
      if (bokeh) await blurBackground(context, bokeh, onProgress);
    },
  },
  {
    name: 'color_enhance',
    tool: 'color_enhance',
    wanted: ({ pipeline }) => pipeline.colorEnhance !== undefined,
    seconds: (work) => COLOR_SECONDS.fixed + megapixelsOf(work) * COLOR_SECONDS.perMegapixel,
    run: async ({ context, pipeline: { colorEnhance } }, onProgress) => {
      if (colorEnhance) await enhanceColor(context, colorEnhance, onProgress);
    },
  },
];
