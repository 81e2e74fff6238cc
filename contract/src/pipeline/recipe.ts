import { z } from 'zod';
import { toolsOf } from './applied-tools.js';
import { AiPipeline } from './tools.js';

/** Incremented whenever the same request would give another picture. */
export const RECIPE_VERSION = 24;

/** Reproduces a result byte for byte. Stored with it and written into the file as an XMP packet. */
export const Recipe = z
  .object({
    version: z.int().describe('Version of the processing; the same request and version give the same pixels.'),
    aiPipeline: AiPipeline.describe('The tools as they were applied.'),
    models: z
      .array(
        z.object({
          id: z.string().describe('Id of the network.'),
          version: z.string().describe('Version of the network.'),
          sha256: z.string().describe('SHA-256 of the file of the network, in lowercase hex.'),
        }),
      )
      .describe('Networks that ran, in no order.'),
    leftAlone: z
      .array(z.enum(['repair', 'background_enhance', 'face_enhance', 'fade', 'face_lifting', 'bokeh', 'color_enhance']))
      .optional()
      .describe(
        'Tools that changed no pixel, such as background blur in a picture without people, or face restoration of sharp faces.',
      ),
    isUntouched: z
      .literal(true)
      .optional()
      .describe('Present if the tools changed nothing visibly, so that the pixels are the original’s.'),
    damage: z
      .object({
        area: z.number().describe('Share of the picture, 0 to 1.'),
        count: z.int().describe('Marks that don’t touch each other.'),
      })
      .optional()
      .describe('What `repair` found and filled; absent if nothing.'),
    isFaded: z
      .literal(true)
      .optional()
      .describe('Present if the original looks like a faded print, whose colors `fade` restores.'),
    isSepia: z
      .literal(true)
      .optional()
      .describe('Present if the original looks like a sepia print, which `neutral` of `fade` makes gray.'),
    mask: z
      .object({ sha256: z.string().describe('SHA-256 of the file of the mask, in lowercase hex.') })
      .optional()
      .describe('Present if a mask limited the tools to a part of the picture.'),
    unmatchedFaces: z
      .array(z.int())
      .optional()
      .describe('Places of the entries in `faces` of `face_enhance` that match no face; absent if all do.'),
    enlargedBy: z
      .number()
      .optional()
      .describe(
        'Pixels of the result per pixel of the original, on each side; absent if the picture was not enlarged.',
      ),
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
    box: z
      .object({
        x: z.number().describe('Left edge, in pixels.'),
        y: z.number().describe('Top edge, in pixels.'),
        width: z.number().describe('Width, in pixels.'),
        height: z.number().describe('Height, in pixels.'),
      })
      .describe('The face, in pixels of the result from its top left corner.'),
    confidence: z.number().describe('Confidence of the detector, 0 to 1.'),
    restored: z.boolean().describe('Whether a face tool changed the face visibly.'),
    identitySimilarity: z
      .number()
      .nullable()
      .describe(
        'Similarity of the face before and after at full strength, 0 to 1; null where it could not be measured.',
      ),
    heldBack: z
      .literal(true)
      .optional()
      .describe('Present if the restored face was blended less or not at all, because it resembled another person.'),
    keptOriginal: z
      .literal(true)
      .optional()
      .describe(
        'Present if the face has the pixels of the original, because its restoration was under `min_identity_similarity`.',
      ),
  })
  .meta({ id: 'FaceReport' });
export type FaceReport = z.infer<typeof FaceReport>;
