import type { AiPipeline } from '@clearframe/contract/pipeline';
import { DEFAULT_DETECTOR_RES } from '../../networks/face-detector.js';
import type { Role } from '../../networks/manifest.js';
import { beginBackground, secondsForBackground } from '../background/enhance-background.js';
import { BOKEH_SECONDS_PER_MEGAPIXEL, blurBackground } from '../bokeh/bokeh.js';
import { COLOR_SECONDS, enhanceColor, liftLight } from '../color/enhance-color.js';
import { blendAgain } from '../face/blend-face.js';
import { beginFaces, secondsForFaces } from '../face/enhance-faces.js';
import { liftFaces, secondsForLifting } from '../face/face-lifting.js';
import { beginSearch } from '../face/find-faces.js';
import { modelsOfFaces } from '../face/plan-faces.js';
import { restoreFade } from '../fade/restore-fade.js';
import { type Finish, type LeftAlone, measurePicture, type PipelineContext } from '../restoration/context.js';
import type { BackgroundPart, FacesPart, KeptParts } from './kept-parts.js';
import type { PixelMap } from './pixel-maps.js';

export interface Work {
  readonly context: PipelineContext;
  readonly pipeline: AiPipeline;
  readonly isEnlarged: boolean;
  readonly faceDetectorMaxInputRes: number | undefined;
  readonly kept: KeptParts | null;
  /** Background of an earlier run. */
  readonly background: BackgroundPart | null;
  readonly faces: FacesPart | null;
  /** Whether the current picture shows the faces at full strength. */
  isBlended: boolean;
  /** What the last step applied, if that was a map. */
  map: PixelMap | null;
  readonly ran: Map<string, Set<Role>>;
}

export interface Step {
  readonly name: string;
  wanted(work: Work): boolean;
  /** Estimate; more accurate after earlier steps. */
  seconds(work: Work): number;
  /** Starts what does not depend on the step before, to run beside it. Returns the rest. */
  begin(work: Work): Finish;
}

interface FinishingStep extends Step {
  readonly tool: LeftAlone;
}

export const restoresPicture = ({ pipeline, isEnlarged }: Work): boolean =>
  isEnlarged || pipeline.backgroundEnhance !== undefined;

const modelOf = ({ backgroundEnhance }: AiPipeline) => backgroundEnhance?.model ?? 'base';

const megapixelsOf = ({ context: { original } }: Work): number => (original.width * original.height) / 1e6;

const rolesOf = ({ ran }: Work, ...steps: string[]): Role[] => steps.flatMap((step) => [...(ran.get(step) ?? [])]);

/** Seconds to read kept pixels. */
const READING_SECONDS = 0.05;

/**
 * In order, all at full strength, so that runs with other strengths can share the work. The picture is denoised before
 * restored faces, which are already clean, are blended in. What the last two compute is kept, compressed on another
 * thread while the next step runs.
 */
export const RESTORING_STEPS: readonly Step[] = [
  {
    name: 'measure',
    wanted: (work) =>
      (restoresPicture(work) && !work.background) || (work.pipeline.faceEnhance !== undefined && !work.faces),
    seconds: () => 0.1,
    begin:
      ({ context }) =>
      async () => {
        Object.assign(context, await measurePicture(context.original));
      },
  },
  {
    name: 'detect_faces',
    wanted: ({ pipeline: { faceEnhance, faceLifting, bokeh }, faces }) =>
      (faceEnhance ?? faceLifting ?? bokeh) !== undefined && !faces,
    seconds: () => 0.4,
    begin: ({ context, faceDetectorMaxInputRes = DEFAULT_DETECTOR_RES }) =>
      beginSearch(context, faceDetectorMaxInputRes),
  },
  {
    name: 'background_enhance',
    wanted: restoresPicture,
    seconds: ({ context, pipeline, background }) =>
      background ? READING_SECONDS : secondsForBackground(context, modelOf(pipeline)),
    begin: (work) => {
      const { context, pipeline, background, kept } = work;
      if (background) {
        return async () => {
          context.current.data.set(background.picture.data);
          context.background = background.picture;
        };
      }
      const restore = beginBackground(context, modelOf(pipeline));
      return async (onProgress) => {
        await restore(onProgress);
        const picture = { ...context.current, data: Uint8Array.from(context.current.data) };
        context.background = picture;
        kept?.keepBackground({ roles: rolesOf(work, 'background_enhance'), picture });
      };
    },
  },
  {
    name: 'face_enhance',
    wanted: ({ pipeline }) => pipeline.faceEnhance !== undefined,
    seconds: ({ context, faces }) => (faces ? READING_SECONDS : secondsForFaces(context)),
    begin: (work) => {
      const { context, pipeline, faces, kept } = work;
      const { faceEnhance = { model: 'base' } } = pipeline;
      const restore = faces ? null : beginFaces(context, modelsOfFaces(context, faceEnhance));
      return async (onProgress) => {
        const over = kept?.variants.background ?? null;
        await restore?.(onProgress);
        if (faces) {
          context.faces = [...faces.faces];
          context.patches = [...faces.patches];
          // The same blending was measured in this picture.
          if (faces.over === over) return;
          await blendAgain(context);
        }
        work.isBlended = true;
        const roles = [...new Set([...(faces?.roles ?? []), ...rolesOf(work, 'detect_faces', 'face_enhance')])];
        kept?.keepFaces({ roles, over, faces: context.faces, patches: context.patches });
      };
    },
  },
];

const colorSeconds = (work: Work): number => COLOR_SECONDS.fixed + megapixelsOf(work) * COLOR_SECONDS.perMegapixel;

export const FINISHING_STEPS: readonly FinishingStep[] = [
  {
    name: 'fade',
    tool: 'fade',
    wanted: ({ pipeline }) => pipeline.fade !== undefined,
    seconds: colorSeconds,
    begin:
      ({ context, pipeline: { fade } }) =>
      async (onProgress) => {
        if (fade) await restoreFade(context, fade, onProgress);
      },
  },
  {
    name: 'light',
    tool: 'background_enhance',
    // Looks correct the light themselves.
    wanted: ({ pipeline }) => pipeline.backgroundEnhance?.model === 'v1' && pipeline.colorEnhance === undefined,
    seconds: colorSeconds,
    begin: (work) => async (onProgress) => {
      const { context, pipeline } = work;
      const table = await liftLight(context, pipeline.backgroundEnhance?.strength ?? 1, onProgress);
      work.map = table && { table };
    },
  },
  {
    name: 'face_lifting',
    tool: 'face_lifting',
    wanted: ({ pipeline }) => pipeline.faceLifting !== undefined,
    seconds: ({ context }) => secondsForLifting(context),
    begin:
      ({ context, pipeline: { faceLifting } }) =>
      async (onProgress) => {
        if (faceLifting) await liftFaces(context, { strength: 1, ...faceLifting }, onProgress);
      },
  },
  {
    name: 'bokeh',
    tool: 'bokeh',
    wanted: ({ pipeline }) => pipeline.bokeh !== undefined,
    seconds: (work) => 0.1 + megapixelsOf(work) * BOKEH_SECONDS_PER_MEGAPIXEL,
    begin: (work) => async (onProgress) => {
      const { context, pipeline } = work;
      const blur = pipeline.bokeh && (await blurBackground(context, pipeline.bokeh, onProgress));
      work.map = blur ? { blur } : null;
    },
  },
  {
    name: 'color_enhance',
    tool: 'color_enhance',
    wanted: ({ pipeline }) => pipeline.colorEnhance !== undefined,
    seconds: colorSeconds,
    begin: (work) => async (onProgress) => {
      const { context, pipeline } = work;
      const table = pipeline.colorEnhance && (await enhanceColor(context, pipeline.colorEnhance, onProgress));
      work.map = table ? { table } : null;
    },
  },
];
