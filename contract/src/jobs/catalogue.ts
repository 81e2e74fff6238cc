import { z } from 'zod';
import { IMAGE_CONTENT_TYPES, JPEG_QUALITIES, OUTPUT_CONTENT_TYPES } from '../media/types.js';
import { FaceReport, Recipe } from '../pipeline/recipe.js';
import { AiPipeline } from '../pipeline/tools.js';
import { inMilliseconds } from '../units.js';
import { defineJob } from './define.js';

const run = { taskId: z.uuid(), runId: z.uuid() };

/** What the caller may have of the result. A rendition nobody may fetch is not encoded. */
export const RenditionOrder = z.object({
  contentType: z.enum(OUTPUT_CONTENT_TYPES),
  jpegQuality: z.union(JPEG_QUALITIES.map((quality) => z.literal(quality))),
  watermark: z.boolean(),
  /** Longest side in pixels, or null for the size of the result. */
  maxSide: z.int().positive().nullable(),
});
export type RenditionOrder = z.infer<typeof RenditionOrder>;

/** Makes one picture better: fetch, probe, decode, tools, encode, store, report. */
export const enhanceImage = defineJob({
  name: 'image.enhance',
  version: 1,
  queue: 'images',
  payload: z.object({
    ...run,
    /** Object key of the original. */
    inputKey: z.string(),
    aiPipeline: AiPipeline,
    rendition: RenditionOrder,
    /** The picture is scaled down to fit this many pixels on its long side before anything else. */
    maxSide: z.int().positive(),
    /** Longest side of the copy the face detector looks at, in pixels. */
    faceDetectorMaxInput: z.int().positive(),
    /** Keep GPS in EXIF; otherwise it is removed. */
    keepLocation: z.boolean(),
  }),
  attempts: 3,
  backoffMs: inMilliseconds.seconds(1),
  timeoutMs: inMilliseconds.minutes(3),
});

/** Makes a file of a picture that is there: of a result's master for who may have it, or of an original that browsers can't show. */
export const renderImage = defineJob({
  name: 'image.render',
  version: 1,
  queue: 'renders',
  payload: z.object({
    ...run,
    /** Object key of the picture it is made of. */
    sourceKey: z.string(),
    rendition: RenditionOrder,
    /** What made the picture, to be named in the file; null for an original. */
    recipe: Recipe.nullable(),
    keepLocation: z.boolean(),
  }),
  attempts: 3,
  backoffMs: inMilliseconds.seconds(0.5),
  timeoutMs: inMilliseconds.minutes(1),
});

const StoredImage = z.object({
  key: z.string(),
  contentType: z.enum(IMAGE_CONTENT_TYPES),
  width: z.int().positive(),
  height: z.int().positive(),
  sizeBytes: z.int().positive(),
});
export type StoredImage = z.infer<typeof StoredImage>;

/** A file that is served. */
export const RenderedImage = StoredImage.extend({ hasWatermark: z.boolean() });
export type RenderedImage = z.infer<typeof RenderedImage>;

/** What a finished run leaves behind. */
export const EnhancedImage = z.object({
  input: StoredImage,
  master: StoredImage,
  rendition: RenderedImage,
  faces: z.array(FaceReport),
  recipe: Recipe,
  /** Milliseconds by step; `sessionMs` is the part spent inside the networks. */
  timings: z.array(z.object({ step: z.string(), ms: z.number(), sessionMs: z.number() })),
});
export type EnhancedImage = z.infer<typeof EnhancedImage>;

/** Codes with which a picture can turn out to be unacceptable once somebody looks inside. */
export const INVALID_CODES = [
  'uploads.empty',
  'uploads.missing',
  'uploads.too_large',
  'uploads.too_many_pixels',
  'uploads.unsupported_type',
  'uploads.undecodable',
  'uploads.size_mismatch',
  'uploads.checksum_mismatch',
] as const;
export type InvalidCode = (typeof INVALID_CODES)[number];

/** How a run ended. Exactly one of these is true of it, however often it is reported. */
export const RunOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('completed'), result: EnhancedImage }),
  z.object({ kind: z.literal('rendered'), result: RenderedImage }),
  z.object({ kind: z.literal('invalid'), errorCode: z.enum(INVALID_CODES) }),
  z.object({ kind: z.literal('failed'), errorCode: z.enum(['tasks.failed', 'tasks.timed_out']) }),
  z.object({ kind: z.literal('cancelled') }),
]);
export type RunOutcome = z.infer<typeof RunOutcome>;

/** The worker tells `api` how a run ended. */
export const reportRun = defineJob({
  name: 'run.report',
  version: 1,
  queue: 'reports',
  payload: z.object({ ...run, outcome: RunOutcome }),
  attempts: 20,
  backoffMs: inMilliseconds.seconds(1),
  timeoutMs: inMilliseconds.seconds(30),
});

/** Every job there is. Boot fails unless each has exactly one handler. */
export const JOBS = [enhanceImage, renderImage, reportRun] as const;
