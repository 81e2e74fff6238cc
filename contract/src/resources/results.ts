import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { OUTPUT_CONTENT_TYPES } from '../media/types.js';
import { LOOK_TOOLS, PipelineRequest } from '../pipeline/tools.js';
import { USAGE_ERRORS } from './plugin-keys.js';
import { BulkUpload, Task } from './task.js';
import { PLAN_ERRORS } from './tasks.js';
import { JpegQualityField, RESULT_FORMATS } from './uploads.js';

const bulkUploadParams = z.object({ bulkUploadId: z.uuid().describe('Id of the upload.') });
const taskParams = z.object({ taskId: z.uuid().describe('Id of the task.') });

/** Not an enum, so that the error can name an unknown format. */
const FormatField = z.string().min(1).max(100);

/** A picture to process again from its original. */
export const ReprocessInput = z
  .object({
    clientTaskId: z.uuid().describe('Id of a task of the upload.'),
    aiPipeline: PipelineRequest.optional().describe('The tools to apply. Default: those of the task.'),
    outputContentType: FormatField.optional()
      .describe(`Media type of the result: ${RESULT_FORMATS} Default: that of the task.`)
      .meta({ examples: ['image/jpeg'] }),
    jpegQuality: JpegQualityField.optional().describe(
      'Quality of a JPEG result, in percent. Default: that of the task.',
    ),
    keepLocation: z
      .boolean()
      .optional()
      .describe('Keep the location (GPS) of the picture in the results. Default: as the task.'),
    preview: z
      .boolean()
      .default(false)
      .describe('Try out tools: every tool on every plan, with a watermark, at most 1280 pixels a side.'),
  })
  .meta({ id: 'ReprocessInput' });
export type ReprocessInput = z.infer<typeof ReprocessInput>;

/**
 * A picture of about 320 pixels with one model of a tool, applied to the newest result's other tools. `url` is signed and
 * short-lived.
 */
export const Look = z
  .object({
    tool: z.enum(LOOK_TOOLS).describe('The tool.'),
    model: z.string().describe('The model of the tool.'),
    url: z.url().describe('The thumbnail, of about 320 pixels. Signed and short-lived.'),
    width: z.int().describe('Width in pixels.'),
    height: z.int().describe('Height in pixels.'),
  })
  .meta({ id: 'Look' });
export type Look = z.infer<typeof Look>;

/** `looks` is empty until the status is `ready`. */
export const Looks = z
  .object({
    status: z
      .enum(['pending', 'ready', 'failed'])
      .describe('Whether the thumbnails are being rendered, exist, or could not be made.'),
    looks: z
      .array(Look)
      .describe(
        'A thumbnail for each model, applied to the other tools of the newest result; empty until `status` is `ready`.',
      ),
  })
  .meta({ id: 'Looks' });
export type Looks = z.infer<typeof Looks>;

/** Tiles of one picture in full size, as Deep Zoom has them. */
const TileSet = z
  .object({
    url: z
      .string()
      .describe(
        'Address of a tile, in which `{level}`, `{column}` and `{row}` stand for its place. Signed and short-lived.',
      ),
    width: z.int().describe('Width of the picture in pixels.'),
    height: z.int().describe('Height of the picture in pixels.'),
    tileSize: z.int().describe('Side of a tile in pixels, without overlap.'),
    overlap: z.int().describe('Pixels that a tile shares with each neighbor.'),
    minLevel: z.int().describe('Smallest level that has tiles; display files show smaller ones.'),
    maxLevel: z.int().describe('Level of the full size. Each level below has half the width and height, rounded up.'),
    contentType: z.enum(['image/jpeg', 'image/webp']).describe('Media type of the tiles.'),
  })
  .meta({ id: 'TileSet' });

/** Pictures of at most 2048 pixels a side, which display files show, have none. */
export const Tiles = z
  .object({
    status: z
      .enum(['pending', 'ready', 'failed'])
      .describe('Whether the tiles are being cut, exist, or could not be made.'),
    input: TileSet.nullable().describe('Of the original; null until they exist, and for a small picture.'),
    output: TileSet.nullable().describe('Of the result; null until they exist, and for a small picture.'),
  })
  .meta({ id: 'Tiles' });
export type Tiles = z.infer<typeof Tiles>;

const FORMAT_ERRORS = ['outputs.format_not_available', 'outputs.format_not_in_plan'] as const;

/** Downloads of results and conversions to other formats. */
export const resultRoutes = {
  exportTask: defineRoute({
    method: 'PUT',
    path: '/tasks/:taskId/export',
    tag: 'tasks',
    summary: 'Download the clean result',
    description:
      'Makes the full-size result without watermark available at `output_url`. A task uses one download of the plan, once for all formats.',
    allow: { sessionOrKey: 'media:write' },
    params: taskParams,
    body: z
      .object({
        outputContentType: FormatField.optional()
          .describe(`Media type of the file: ${RESULT_FORMATS} Default: that of the result.`)
          .meta({ examples: ['image/jpeg'] }),
        jpegQuality: JpegQualityField.optional().describe(
          'Quality of a JPEG file, in percent. Default: that of the result.',
        ),
        outputId: z.uuid().optional().describe('Id of an earlier result that is no preview. Default: the newest.'),
      })
      .meta({ id: 'ExportTask' }),
    responses: { 200: Task },
    errors: [
      'tasks.not_found',
      'tasks.wrong_state',
      'exports.insufficient',
      'pipeline.not_in_plan',
      'outputs.preview_only',
      ...FORMAT_ERRORS,
    ],
    limit: 'writes',
  }),
  convertTask: defineRoute({
    method: 'POST',
    path: '/tasks/:taskId/convert',
    tag: 'tasks',
    summary: 'Convert a result',
    description:
      'Encodes the newest result in another format, found in `converted_images`: 202 while it is being encoded, 200 when it is ready.',
    allow: { sessionOrKey: 'media:write' },
    params: taskParams,
    body: z
      .object({
        outputContentType: FormatField.describe(`Media type of the file: ${RESULT_FORMATS}`),
        jpegQuality: JpegQualityField.optional().describe(
          'Quality of a JPEG file, in percent. Default: that of the task.',
        ),
      })
      .meta({ id: 'ConvertTask' }),
    responses: { 202: Task, 200: Task },
    errors: ['tasks.not_found', 'tasks.wrong_state', ...FORMAT_ERRORS],
    limit: 'writes',
    idempotent: true,
  }),
  createChangeMap: defineRoute({
    method: 'POST',
    path: '/tasks/:taskId/changes',
    tag: 'tasks',
    summary: 'Make the change map of a result',
    description:
      'Answers a gray PNG of the size of the result, at most 4096 pixels a side: black where a pixel is that of the original, white where a channel differs by 32 of 255 levels or more. Made from the result in full size with all of its tools, at the first request; free.',
    allow: { sessionOrKey: 'media:write' },
    params: taskParams,
    body: z
      .object({ outputId: z.uuid().optional().describe('Result; no preview. Default: the newest.') })
      .meta({ id: 'CreateChangeMap' }),
    responses: { 200: null },
    file: ['image/png'],
    errors: ['tasks.not_found', 'tasks.wrong_state', 'outputs.preview_only', 'pipeline.not_in_plan', 'queue.full'],
    limit: 'writes',
  }),
  createTiles: defineRoute({
    method: 'POST',
    path: '/tasks/:taskId/tiles',
    tag: 'tasks',
    summary: 'Cut a result and its original into tiles',
    description:
      'Tiles show any part of a large picture without the whole file, in the Deep Zoom layout: `level`/`column`_`row`. They are cut at the first request, and show what the caller may download: with the watermark, without it, or nothing larger than the file of the plan. Pictures of at most 2048 pixels a side have none. Idempotent.',
    allow: { sessionOrKey: 'media:write' },
    params: taskParams,
    body: z
      .object({ outputId: z.uuid().optional().describe('Result; no preview. Default: the newest.') })
      .meta({ id: 'CreateTiles' }),
    responses: { 202: Tiles },
    errors: ['tasks.not_found', 'tasks.wrong_state', 'outputs.preview_only', 'pipeline.not_in_plan', 'queue.full'],
    limit: 'writes',
  }),
  getTile: defineRoute({
    method: 'GET',
    base: '/media',
    path: '/tiles/:taskId/:fileId/:level/:tile',
    tag: 'tasks',
    summary: 'Get a tile',
    description: 'Returns one tile by the signed address that the tiles of a task have.',
    allow: 'public',
    params: taskParams.extend({
      fileId: z.uuid().describe('Id of the file of tiles.'),
      level: z
        .string()
        .regex(/^\d{1,2}$/)
        .describe('Level, from `min_level` to `max_level`.'),
      tile: z
        .string()
        .regex(/^\d{1,4}_\d{1,4}$/)
        .describe('Column and row of the tile, from 0.'),
    }),
    query: z.object({
      width: z.string().max(10).describe('Width of the picture in pixels.'),
      height: z.string().max(10).describe('Height of the picture in pixels.'),
      type: z.string().max(20).describe('Media type of the tiles.'),
      expires: z.string().max(20).describe('End of the address, in seconds since 1970.'),
      signature: z.string().max(100).describe('Signature of the address.'),
    }),
    responses: { 200: null },
    file: ['image/jpeg', 'image/webp'],
    errors: ['media.not_found', 'media.url_invalid', 'media.url_expired'],
    limit: 'tiles',
  }),
  createLooks: defineRoute({
    method: 'POST',
    path: '/tasks/:taskId/looks',
    tag: 'tasks',
    summary: 'Render thumbnails of looks',
    description: 'Renders a thumbnail of the newest result with every look, blur and retouching style. Idempotent.',
    allow: { sessionOrKey: 'media:write' },
    params: taskParams,
    responses: { 202: Looks },
    errors: ['tasks.not_found', 'tasks.wrong_state', 'queue.full'],
    limit: 'writes',
  }),
  getLooks: defineRoute({
    method: 'GET',
    path: '/tasks/:taskId/looks',
    tag: 'tasks',
    summary: 'Get thumbnails of looks',
    description: 'Returns the thumbnails of the newest result with every look, blur and retouching style.',
    allow: { sessionOrKey: 'media:read' },
    params: taskParams,
    responses: { 200: Looks },
    errors: ['tasks.not_found', 'tasks.wrong_state'],
    limit: 'reads',
  }),
  convertInputs: defineRoute({
    method: 'POST',
    path: '/tasks/bulk-upload/:bulkUploadId/convert-input',
    tag: 'uploads',
    summary: 'Convert originals for display',
    description: 'Converts originals that browsers can’t show to JPEG, found in `converted_images` of the input.',
    allow: { sessionOrKey: 'media:write' },
    params: bulkUploadParams,
    body: z
      .object({
        taskIds: z.array(z.uuid()).min(1).max(100).optional().describe('Ids of tasks of the upload. Default: all.'),
      })
      .meta({ id: 'ConvertInputs' }),
    responses: { 202: BulkUpload },
    errors: ['bulk_uploads.not_found', 'tasks.not_found', 'tasks.wrong_state'],
    limit: 'writes',
    idempotent: true,
  }),
  reprocessTasks: defineRoute({
    method: 'POST',
    path: '/tasks/bulk-upload/:bulkUploadId/reprocess',
    tag: 'uploads',
    summary: 'Process pictures again',
    description:
      'Enhances pictures of an upload again from their originals, with other tools or in another format. Earlier results are kept.',
    enhances: true,
    allow: { sessionOrKey: 'media:write' },
    params: bulkUploadParams,
    body: z
      .object({
        inputReprocessList: z
          .array(ReprocessInput)
          .min(1)
          .max(100)
          .refine((orders) => new Set(orders.map(({ clientTaskId }) => clientTaskId)).size === orders.length, {
            error: 'A task is listed twice',
          })
          .describe('The tasks to process again, each once.'),
      })
      .meta({ id: 'Reprocess' }),
    responses: { 202: BulkUpload },
    errors: [
      'service.country_blocked',
      'bulk_uploads.not_found',
      'tasks.not_found',
      'tasks.wrong_state',
      'queue.full',
      ...USAGE_ERRORS,
      'uploads.missing',
      ...PLAN_ERRORS,
    ],
    limit: 'writes',
    idempotent: true,
  }),
} as const;

/** The clean file of a paid picture. */
export const LinkedPicture = z
  .object({
    url: z.url().nullable().describe('The clean file. Signed and short-lived; null while it is prepared: ask again.'),
    fileName: z.string().nullable().describe('Name of the original; null if none was sent.'),
    contentType: z.enum(OUTPUT_CONTENT_TYPES).describe('Media type of the file.'),
    width: z.int().describe('Width in pixels.'),
    height: z.int().describe('Height in pixels.'),
    expiresAt: z.iso.datetime().describe('When the files are deleted, and the link with them.'),
  })
  .meta({ id: 'LinkedPicture' });
export type LinkedPicture = z.infer<typeof LinkedPicture>;

/** Links to a guest's paid photo. */
export const pictureLinkRoutes = {
  openPictureLink: defineRoute({
    method: 'POST',
    path: '/picture-links/open',
    tag: 'tasks',
    summary: 'Open a receipt’s link',
    description: 'Returns the photo linked from a guest’s receipt; the first call creates the clean file.',
    allow: 'public',
    /** In the body, to keep it out of access logs. */
    body: z
      .object({
        token: z
          .string()
          .min(1)
          .max(255)
          .describe('The token of the link in the receipt; in the body, to keep it out of access logs.'),
      })
      .meta({ id: 'OpenPictureLink' }),
    responses: { 200: LinkedPicture },
    errors: ['picture_links.not_found', 'exports.insufficient'],
    limit: 'reads',
  }),
} as const;
