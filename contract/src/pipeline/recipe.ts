import { z } from 'zod';
import { AiPipeline } from './tools.js';

/** Version of the processing steps, incremented whenever the same request would give another picture. */
export const RECIPE_VERSION = 3;

/**
 * How a result was made, sufficient to reproduce it byte for byte. Stored with the result and written into the file as an
 * XMP packet.
 */
export const Recipe = z
  .object({
    version: z.int(),
    aiPipeline: AiPipeline,
    models: z.array(z.object({ id: z.string(), version: z.string(), sha256: z.string() })),
    /** Tools that found nothing to do and changed no pixel: a background blur without people, sharp faces. */
    leftAlone: z.array(z.enum(['face_enhance', 'face_lifting', 'bokeh'])).optional(),
  })
  .meta({ id: 'Recipe' });
export type Recipe = z.infer<typeof Recipe>;

/** A detected face: its box in pixels of the result, and how much it changed. */
export const FaceReport = z
  .object({
    box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
    /** The detector's confidence, 0..1. */
    confidence: z.number(),
    /** Similarity of the face before and after, 0..1; null where it could not be measured. */
    identitySimilarity: z.number().nullable(),
  })
  .meta({ id: 'FaceReport' });
export type FaceReport = z.infer<typeof FaceReport>;
