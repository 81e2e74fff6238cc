import { z } from 'zod';
import { megabytes } from '../units.js';

/**
 * Limits the tools to a part of a picture: an 8-bit gray PNG of the size of the upright original. White applies them fully,
 * black keeps the pixels, gray mixes both. Belongs to the task: every run uses it.
 */
export const Mask = z.object({
  width: z.int().positive().describe('Width in pixels.'),
  height: z.int().positive().describe('Height in pixels.'),
  sha256: z.string().describe('SHA-256 of the file, in lowercase hex.'),
});
export type Mask = z.infer<typeof Mask>;

/** A mask of 100 megapixels with soft edges has less. */
export const MASK_MAX_BYTES = megabytes(16);
