import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { OUTPUT_CONTENT_TYPES } from '../media/types.js';
import { PipelineRequest } from '../pipeline/tools.js';

/** Lifetime of an upload token in seconds: at least, unless it is chosen, and at most. */
export const UPLOAD_TOKEN_SECONDS = { min: 60, usual: 600, max: 3_600 } as const;

/** Errors of an upload token in place of a key. */
export const UPLOAD_TOKEN_ERRORS = [
  'upload_tokens.expired',
  'upload_tokens.used',
  'upload_tokens.wrong_origin',
] as const;

/** `https://shop.example`: scheme, host and port as browsers send them in `Origin`. */
const Origin = z
  .url({ protocol: /^https?$/ })
  .max(300)
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text,
    'Must be an origin, such as https://shop.example',
  );

/** What a page may do with the token. */
export const CreateUploadToken = z
  .object({
    aiPipeline: PipelineRequest.optional().describe(
      'The tools; the page can then choose none. Absent: the page chooses.',
    ),
    outputContentType: z
      .enum(OUTPUT_CONTENT_TYPES)
      .optional()
      .describe('Format of the result; the page can then choose none. Absent: the page chooses.'),
    origin: Origin.optional().describe('The only origin whose pages may use the token. Absent: any.'),
    expiresInSeconds: z
      .int()
      .min(UPLOAD_TOKEN_SECONDS.min)
      .max(UPLOAD_TOKEN_SECONDS.max)
      .default(UPLOAD_TOKEN_SECONDS.usual)
      .describe('Lifetime of the token in seconds.'),
  })
  .meta({ id: 'CreateUploadToken' });
export type CreateUploadToken = z.infer<typeof CreateUploadToken>;

/** A secret of little worth: it may be given to a page. */
export const CreatedUploadToken = z
  .object({
    token: z.string().describe('`cfu_…`, shown once. The page sends it as `Authorization: Bearer cfu_…`.'),
    expiresAt: z.iso.datetime().describe('When it ends.'),
  })
  .meta({ id: 'CreatedUploadToken' });
export type CreatedUploadToken = z.infer<typeof CreatedUploadToken>;

/** Tokens by which a customer's page sends a picture without the customer's key. */
export const uploadTokenRoutes = {
  createUploadToken: defineRoute({
    method: 'POST',
    path: '/upload-tokens',
    tag: 'enhance',
    summary: 'Create an upload token',
    description:
      'Creates a short-lived token with which a page enhances one picture and reads its task, without the key.',
    allow: { key: 'media:write' },
    body: CreateUploadToken,
    responses: { 201: CreatedUploadToken },
    errors: ['pipeline.not_in_plan', 'outputs.format_not_in_plan', 'outputs.format_not_available'],
    limit: 'writes',
  }),
} as const;
