import { z } from 'zod';
import { AiPipeline } from './tools.js';

/** Version of the steps themselves: it grows whenever the same request would come out as another picture. */
export const RECIPE_VERSION = 3;

/**
 * How a result was made: enough to make it again, byte for byte. It is stored with the result and written into the
 * file as an XMP packet.
 */
export const Recipe = z
  .object({
    version: z.int(),
    aiPipeline: AiPipeline,
    models: z.array(z.object({ id: z.string(), version: z.string(), sha256: z.string() })),
    /** Tools that found nothing to do and changed no pixel: a blur behind people where there is nobody, sharp faces. */
    leftAlone: z.array(z.enum(['face_enhance', 'face_lifting', 'bokeh'])).optional(),
  })
  .meta({ id: 'Recipe' });
export type Recipe = z.infer<typeof Recipe>;

/** A face that was found: its box in pixels of the result, and what was done about it. */
export const FaceReport = z
  .object({
    box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
    /** The detector's confidence, 0..1. */
    confidence: z.number(),
    /** How much the face after still is the face before, 0..1; null where it could not be told. */
    identitySimilarity: z.number().nullable(),
  })
  .meta({ id: 'FaceReport' });
export type FaceReport = z.infer<typeof FaceReport>;
