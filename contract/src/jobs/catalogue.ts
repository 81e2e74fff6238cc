import { z } from 'zod';
import { Mask } from '../media/mask.js';
import { IMAGE_CONTENT_TYPES, JPEG_QUALITIES, OUTPUT_CONTENT_TYPES, PICTURE_CONTENT_TYPES } from '../media/types.js';
import { PictureMeasures } from '../pipeline/analysis.js';
import { FaceReport, isUntouched, Recipe } from '../pipeline/recipe.js';
import { AiPipeline, LOOK_TOOLS } from '../pipeline/tools.js';
import { inMilliseconds } from '../units.js';
import { defineJob, INVALID_CODES, MASK_CODES, RunIds } from './define.js';
import { enhanceVideo, probeVideo } from './videos.js';

/** A file to encode from a result or an original. Only files that the user may have are encoded. */
export const DownloadSpec = z.object({
  contentType: z.enum(OUTPUT_CONTENT_TYPES),
  jpegQuality: z.union(JPEG_QUALITIES.map((quality) => z.literal(quality))),
  watermark: z.boolean(),
  /** Longest side in pixels; null: the size of the result. */
  maxSide: z.int().positive().nullable(),
  /**
   * `display`: a file for pages and its thumbnail: WebP instead of JPEG where there is transparency, without EXIF and XMP.
   * `changes`: instead of the picture, a gray PNG of how much each pixel differs from the original: 32 levels are white.
   * `tiles`: one file with the tiles of `tilesOf`, each a JPEG, or WebP where there is transparency, after the offsets in
   * bytes (32 bits, little-endian) of each and of the end.
   */
  use: z.enum(['display', 'changes', 'tiles']).optional(),
});
export type DownloadSpec = z.infer<typeof DownloadSpec>;

/** What is encoded of a result: nothing is sold of an untouched one, so that everyone has it in full size and clean. */
export const deliveredSpec = (order: DownloadSpec, recipe: Recipe): DownloadSpec =>
  isUntouched(recipe) ? { ...order, watermark: false, maxSide: null } : order;

const StoredImage = z.object({
  key: z.string(),
  contentType: z.enum(PICTURE_CONTENT_TYPES),
  width: z.int().positive(),
  height: z.int().positive(),
  sizeBytes: z.int().positive(),
});
export type StoredImage = z.infer<typeof StoredImage>;

/** `medium` and `thumbnail` belong to a display file; `medium` is absent in those of older versions. */
export const RenderedImage = StoredImage.extend({
  hasWatermark: z.boolean(),
  medium: StoredImage.optional(),
  thumbnail: StoredImage.optional(),
});
export type RenderedImage = z.infer<typeof RenderedImage>;

/** See `changes` of `TaskOutput`. */
const StoredOverlay = StoredImage.pick({ key: true, width: true, height: true });

/**
 * Work of the networks that restore pixels, for another run of the same picture. `variant` is equal for requests that
 * can share it; see `keptVariantsOf`.
 */
export const KeptPart = z.object({ variant: z.string(), key: z.string() });
export type KeptPart = z.infer<typeof KeptPart>;

/** Files and metadata of an enhanced photo; keys are those of the object store. */
export const EnhancedImage = z.object({
  input: StoredImage,
  master: StoredImage,
  rendition: RenderedImage,
  /** Absent in results of older versions. */
  display: RenderedImage.optional(),
  /** Results of version 2 don't say which faces were restored. */
  faces: z.array(FaceReport.partial({ restored: true })),
  recipe: Recipe,
  /** Null or absent: networks altered nothing, or the result is of version 2. */
  changes: StoredOverlay.nullish(),
  /** See `base` of `objectKeys`. Absent in results of version 2. */
  baseKey: z.string().optional(),
  /** Absent in results of version 2. */
  kept: z.array(KeptPart).optional(),
  /** `sessionMs` is the part of `ms` spent inside networks. */
  timings: z.array(z.object({ step: z.string(), ms: z.number(), sessionMs: z.number() })),
});
export type EnhancedImage = z.infer<typeof EnhancedImage>;

/** Enhances a picture: fetch, probe, decode, tools, encode, store, report. */
export const enhanceImage = defineJob({
  name: 'image.enhance',
  version: 6,
  queue: 'images',
  // Without networks, or with restored pixels that are kept.
  lightQueue: 'colors',
  // In the size of the original; see `isLargeResult`.
  largeQueue: 'large',
  payload: RunIds.extend({
    inputKey: z.string(),
    aiPipeline: AiPipeline,
    rendition: DownloadSpec,
    display: DownloadSpec,
    /** In pixels; a longer side is scaled down before tools run. */
    maxSide: z.int().positive(),
    /** Longest side in pixels of the copy for face detection. */
    faceDetectorMaxInput: z.int().positive(),
    /** Keep GPS in EXIF. */
    keepLocation: z.boolean(),
    /** Parts kept from earlier runs of the same picture; the worker checks them. */
    kept: z.array(KeptPart),
    /** Limits the tools to a part of the picture; null: they apply everywhere. */
    mask: Mask.extend({ key: z.string() }).nullable(),
  }),
  result: EnhancedImage,
  invalidCodes: [...INVALID_CODES, ...MASK_CODES],
  attempts: 3,
  backoffMs: inMilliseconds.seconds(1),
  timeoutMs: inMilliseconds.minutes(5),
});

/** Measures a picture. On the queue of light work, so that it never waits behind restoration. */
export const analyzeImage = defineJob({
  name: 'image.analyze',
  version: 1,
  queue: 'colors',
  payload: RunIds.extend({
    inputKey: z.string(),
    /** See these members of {@link enhanceImage}: the picture is measured as they would have it restored. */
    aiPipeline: AiPipeline,
    maxSide: z.int().positive(),
    faceDetectorMaxInput: z.int().positive(),
  }),
  result: z.object({
    input: StoredImage.omit({ key: true }).extend({ contentType: z.enum(IMAGE_CONTENT_TYPES) }),
    measures: PictureMeasures,
  }),
  invalidCodes: INVALID_CODES,
  attempts: 2,
  backoffMs: inMilliseconds.seconds(0.5),
  timeoutMs: inMilliseconds.minutes(1),
});

/** Encodes a file from a result's master or from an original. */
export const renderImage = defineJob({
  name: 'image.render',
  version: 5,
  queue: 'renders',
  // Of all pixels of a large picture; see `isLargeFile`.
  largeQueue: 'large',
  payload: RunIds.extend({
    sourceKey: z.string(),
    /** Present for `changes` and for a format with layers. */
    originalKey: z.string().optional(),
    rendition: DownloadSpec,
    /** Written into the file; null for an original. */
    recipe: Recipe.nullable(),
    keepLocation: z.boolean(),
    /** In fractions of the picture, 0..1. The watermark of a display file keeps off them. */
    faces: z.array(FaceReport.shape.box).optional(),
  }),
  result: RenderedImage,
  invalidCodes: INVALID_CODES,
  attempts: 3,
  backoffMs: inMilliseconds.seconds(0.5),
  timeoutMs: inMilliseconds.minutes(5),
});

/** Renders small pictures of a result with every look, blur and retouching style, from its `base`. */
export const renderLooks = defineJob({
  name: 'image.looks',
  version: 1,
  queue: 'colors',
  payload: RunIds.extend({
    baseKey: z.string(),
    /** Choices that made the result. */
    aiPipeline: AiPipeline,
  }),
  result: z.object({
    looks: z.array(StoredOverlay.extend({ tool: z.enum(LOOK_TOOLS), model: z.string() })),
  }),
  invalidCodes: INVALID_CODES,
  attempts: 2,
  backoffMs: inMilliseconds.seconds(0.5),
  timeoutMs: inMilliseconds.minutes(5),
});

/** Composes the picture for link previews of a shared result from its display files. */
export const renderSharePreview = defineJob({
  name: 'image.share-preview',
  version: 1,
  queue: 'renders',
  payload: RunIds.extend({
    beforeKey: z.string(),
    afterKey: z.string(),
    /** Center of the part to show, in fractions of the picture. */
    focus: z.object({ x: z.number().min(0).max(1), y: z.number().min(0).max(1) }),
  }),
  result: StoredImage,
  invalidCodes: INVALID_CODES,
  attempts: 2,
  backoffMs: inMilliseconds.seconds(0.5),
  timeoutMs: inMilliseconds.minutes(5),
});

/** Boot fails unless each job has exactly one handler. */
export const JOBS = [
  enhanceImage,
  analyzeImage,
  renderImage,
  renderLooks,
  renderSharePreview,
  probeVideo,
  enhanceVideo,
] as const;

/** Worker's report of a finished run. `outcome` is parsed by the schema of its job. */
export const reportRun = {
  name: 'run.report',
  version: 2,
  queue: 'reports',
  /** Interval of attempts while `api` can't settle a report, for instance without PostgreSQL, ... */
  retryMs: inMilliseconds.seconds(2),
  /** ... for about a day. Afterwards the sweep of `api` requests the report. */
  attempts: 40_000,
  payload: RunIds.extend({ job: z.string(), outcome: z.unknown() }),
} as const;
