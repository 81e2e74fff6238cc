import { IMAGE_CONTENT_TYPES, IMAGE_LIMITS, INVALID_CODES, MASK_CODES } from '@clearframe/contract';
import { z } from 'zod';
import type { Samples } from '../image/picture.js';

export interface DecodeRequest {
  readonly type: 'decode';
  /** Larger pictures are scaled down to this longest side. */
  readonly maxSide: number;
  /** Keep 16 bits a sample if present, else 8. */
  readonly keepDepth: boolean;
}

export interface WriteRequest {
  readonly type: 'write';
  readonly path: string;
  readonly maxSide: number;
  /** By default as the picture has it. */
  readonly hasAlpha?: boolean | undefined;
}

export interface MaskRequest {
  readonly type: 'mask';
  readonly path: string;
  /** Of the result; null: the mask's own, and any content. */
  readonly size: { readonly width: number; readonly height: number } | null;
}

/** In turn: each is answered before the next. The first names the picture. */
export type ToDecoder =
  | { readonly type: 'probe'; readonly path: string; readonly maxBytes?: number | undefined }
  | DecodeRequest
  | WriteRequest
  | MaskRequest;

// What a decoder answers is checked: a picture may have taken it over.

const Size = { width: z.int().positive(), height: z.int().positive() };
const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const Buffered = Bytes.transform(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength));
const Pixels = z.custom<Samples>((value) => value instanceof Uint8Array || value instanceof Uint16Array);
const Entries = z.array(z.object({ tag: z.int(), type: z.int(), count: z.int(), value: Buffered })).readonly();
const metadata = {
  icc: Buffered.nullable(),
  exif: z.object({ image: Entries, photo: Entries, gps: Entries }).nullable(),
};

export const FromDecoder = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), hasConfinedFiles: z.boolean() }),
  z
    .object({
      type: z.literal('probed'),
      ...Size,
      contentType: z.enum(IMAGE_CONTENT_TYPES),
      sizeBytes: z.number().positive(),
      /** More than 8 bits a sample. */
      isDeep: z.boolean(),
    })
    .refine(({ width, height }) => width * height <= IMAGE_LIMITS.maxPixels),
  z.object({ type: z.literal('decoded'), ...Size, rgb: Pixels, alpha: Pixels.nullable(), ...metadata }),
  z.object({
    type: z.literal('written'),
    path: z.string(),
    layout: z.object({ ...Size, channels: z.union([z.literal(3), z.literal(4)]), isDeep: z.boolean() }),
    offset: z.int(),
    ...metadata,
  }),
  z.object({ type: z.literal('mask'), ...Size, data: Bytes }),
  z.object({ type: z.literal('invalid'), code: z.enum([...INVALID_CODES, ...MASK_CODES]), reason: z.string() }),
  z.object({ type: z.literal('error'), error: z.object({ name: z.string(), message: z.string() }) }),
]);
/** `invalid` refuses the picture; `error` may be retried. */
export type FromDecoder = z.infer<typeof FromDecoder>;

/** 16 bits of red, green and blue. */
const MAX_BYTES = IMAGE_LIMITS.maxPixels * 6;

export const StoredArrays = z
  .array(
    z.object({
      path: z.tuple([z.enum(['rgb', 'alpha', 'icc', 'data'])]),
      kind: z.enum(['Uint8Array', 'Uint16Array']),
      at: z.int().nonnegative(),
      bytes: z.int().nonnegative().max(MAX_BYTES),
    }),
  )
  .max(3);
