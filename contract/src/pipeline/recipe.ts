import { z } from 'zod';
import { AiPipeline } from './tools.js';

/** Incremented whenever the same request would give another picture. */
export const RECIPE_VERSION = 4;

/** Reproduces a result byte for byte. Stored with it and written into the file as an XMP packet. */
export const Recipe = z
  .object({
    version: z.int(),
    aiPipeline: AiPipeline,
    models: z.array(z.object({ id: z.string(), version: z.string(), sha256: z.string() })),
    /** Tools that changed no pixel: background blur without people, sharp faces. */
    leftAlone: z.array(z.enum(['face_enhance', 'face_lifting', 'bokeh'])).optional(),
  })
  .meta({ id: 'Recipe' });
export type Recipe = z.infer<typeof Recipe>;

export const FaceReport = z
  .object({
    /** In pixels of the result. */
    box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
    /** The detector's confidence, 0..1. */
    confidence: z.number(),
    /** Similarity before and after, 0..1; null where it could not be measured. */
    identitySimilarity: z.number().nullable(),
    /** A face tool changed its pixels. Absent in results of older versions. */
    restored: z.boolean().optional(),
    /** Present if the restored face was blended less or not at all because it resembled another person. */
    heldBack: z.literal(true).optional(),
  })
  .meta({ id: 'FaceReport' });
export type FaceReport = z.infer<typeof FaceReport>;
