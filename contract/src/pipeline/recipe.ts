import { z } from 'zod';
import { toolsOf } from './applied-tools.js';
import { AiPipeline } from './tools.js';

/** Incremented whenever the same request would give another picture. */
export const RECIPE_VERSION = 22;

/** Reproduces a result byte for byte. Stored with it and written into the file as an XMP packet. */
export const Recipe = z
  .object({
    version: z.int(),
    aiPipeline: AiPipeline,
    /** Networks that ran. */
    models: z.array(z.object({ id: z.string(), version: z.string(), sha256: z.string() })),
    /** Tools that changed no pixel: background blur without people, sharp faces. */
    leftAlone: z
      .array(z.enum(['background_enhance', 'face_enhance', 'face_lifting', 'bokeh', 'color_enhance']))
      .optional(),
    /** Present if the tools changed nothing visibly, so that the pixels are the original's. */
    isUntouched: z.literal(true).optional(),
    /** Places of the entries in `faces` of `face_enhance` that match no face; absent if all do. */
    unmatchedFaces: z.array(z.int()).optional(),
    /** Pixels of the result per pixel of the original, per side; absent if the picture was not enlarged. */
    enlargedBy: z.number().optional(),
  })
  .meta({ id: 'Recipe' });
export type Recipe = z.infer<typeof Recipe>;

/**
 * Whether the result shows the original as it is, so that there is nothing to sell: no tool was requested, each left every
 * pixel alone, or what they changed can't be seen (decisions, section 9). An enlarged picture never is.
 */
export function isUntouched({ aiPipeline, leftAlone = [], isUntouched: isUnchanged, enlargedBy }: Recipe): boolean {
  return enlargedBy === undefined && (isUnchanged === true || leftAlone.length >= toolsOf(aiPipeline).length);
}

/** What was done to one face. */
export const FaceReport = z
  .object({
    /** In pixels of the result. */
    box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
    /** The detector's confidence, 0..1. */
    confidence: z.number(),
    /** Whether a face tool changed it visibly. */
    restored: z.boolean(),
    /** Similarity before and after at full strength, 0..1; null where it could not be measured. */
    identitySimilarity: z.number().nullable(),
    /** Present if the restored face was blended less or not at all because it resembled another person. */
    heldBack: z.literal(true).optional(),
    /** Present if it has the original's pixels because its restoration was under `min_identity_similarity`. */
    keptOriginal: z.literal(true).optional(),
  })
  .meta({ id: 'FaceReport' });
export type FaceReport = z.infer<typeof FaceReport>;
