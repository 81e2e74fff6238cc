import { z } from 'zod';
import { TaskStatus } from '../media/task-states.js';
import { MEDIA_CONTENT_TYPES, MEDIA_TYPES, PICTURE_CONTENT_TYPES, VIDEO_CONTENT_TYPES } from '../media/types.js';
import { FaceReport, Recipe } from '../pipeline/recipe.js';
import { AiPipeline } from '../pipeline/tools.js';
import { TaskSharing } from './sharings.js';

/** See `exportState` of {@link Task}. */
export const EXPORT_STATES = ['none', 'preparing', 'ready'] as const;
export type ExportState = (typeof EXPORT_STATES)[number];

const ConvertedImage = z.object({
  imageContentType: z.enum(PICTURE_CONTENT_TYPES).describe('Media type of the file.'),
  outputUri: z.url().describe('The file. Signed and short-lived.'),
});

/** One of {@link MEDIA_TYPES}. */
export const MediaTypeField = z.enum(MEDIA_TYPES);

/** Width and height in pixels with orientation applied, size in bytes; null until the file has been read. */
export const TaskInput = z
  .object({
    fileName: z
      .string()
      .nullable()
      .describe('Name of the file; null if none was sent.')
      .meta({ examples: ['photo.jpg'] }),
    contentType: z.enum(MEDIA_CONTENT_TYPES).describe('Media type of the original.'),
    width: z
      .int()
      .nullable()
      .describe('Width in pixels, with orientation applied; null until the file has been read.')
      .meta({ examples: [1600] }),
    height: z
      .int()
      .nullable()
      .describe('Height in pixels, with orientation applied; null until the file has been read.')
      .meta({ examples: [1200] }),
    duration: z.number().nullable().describe('Length of a video in seconds; null for pictures.'),
    sizeBytes: z
      .int()
      .nullable()
      .describe('Size in bytes; null until the file has been read.')
      .meta({ examples: [2_400_000] }),
    sha256: z
      .string()
      .nullable()
      .describe(
        'SHA-256 of the stored original, in lowercase hex; null before processing starts and for tasks of older versions.',
      )
      .meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] }),
    convertedImages: z.array(ConvertedImage).describe('The original in formats that browsers show.'),
  })
  .meta({ id: 'TaskInput' });

/**
 * A picture and its thumbnail to show in pages: JPEG, or WebP where there is transparency, at most
 * {@link DISPLAY_MAX_SIDE} and {@link THUMBNAIL_MAX_SIDE} pixels, without EXIF. For small screens `mediumUrl` is the
 * picture as WebP of half the bytes, with at most {@link MEDIUM_MAX_SIDE} pixels; null for files of older versions. Of a
 * result they show no more than the result's `url` does. URLs are signed and short-lived; width and height are those of
 * the file at `url`.
 */
export const DisplayImage = z
  .object({
    url: z
      .url()
      .describe(
        'JPEG, or WebP where there is transparency, of at most 2048 pixels a side, without EXIF. Signed and short-lived.',
      ),
    mediumUrl: z
      .url()
      .nullable()
      .describe(
        'WebP of at most 1024 pixels a side, for small screens; null for files of older versions. Signed and short-lived.',
      ),
    thumbnailUrl: z.url().describe('JPEG or WebP of at most 400 pixels a side. Signed and short-lived.'),
    width: z.int().describe('Width in pixels of the file at `url`.'),
    height: z.int().describe('Height in pixels of the file at `url`.'),
  })
  .meta({ id: 'DisplayImage' });
export type DisplayImage = z.infer<typeof DisplayImage>;

/**
 * Pictures to show in pages; null until they exist. Originals and results can have any format and size. Of a video they
 * are its first frame.
 */
export const TaskDisplay = z
  .object({
    inputUrl: z
      .url()
      .nullable()
      .describe(
        'The original as JPEG or WebP of at most 2048 pixels a side; of a video its first frame. Null until it exists.',
      ),
    inputMediumUrl: z
      .url()
      .nullable()
      .describe(
        'The original as WebP of at most 1024 pixels a side; null until it exists, and for files of older versions.',
      ),
    outputUrl: z.url().nullable().describe('The file at `output_url` of the task, for display; null until it exists.'),
    thumbnailUrl: z
      .url()
      .nullable()
      .describe('The result, else the original, of at most 400 pixels a side; null until it exists.'),
    inputThumbnailUrl: z.url().nullable().describe('The original, of at most 400 pixels a side; null until it exists.'),
    width: z
      .int()
      .nullable()
      .describe('Width in pixels of the file at `output_url`, else of the file at `input_url`; null until one exists.'),
    height: z
      .int()
      .nullable()
      .describe(
        'Height in pixels of the file at `output_url`, else of the file at `input_url`; null until one exists.',
      ),
  })
  .meta({ id: 'TaskDisplay' });
export type TaskDisplay = z.infer<typeof TaskDisplay>;

/**
 * A task lists the newest first. `url` is signed and short-lived: request it again instead of storing it. A preview is
 * small and watermarked, and never downloaded, paid for or archived. A video has one, without faces and changes.
 */
export const TaskOutput = z
  .object({
    id: z.uuid().describe('Id of the run that made the result.'),
    number: z
      .int()
      .positive()
      .describe(
        'Counts the results of the task from 1, in the order in which they were made; stays when others are deleted.',
      ),
    url: z
      .url()
      .nullable()
      .describe(
        'The file for the current plan, which the other members describe. Signed and short-lived; null while it is encoded after a change of plan.',
      ),
    contentType: z
      .enum([...PICTURE_CONTENT_TYPES, ...VIDEO_CONTENT_TYPES])
      .describe('Media type of the file at `url`.'),
    width: z.int().describe('Width in pixels of the file at `url`.'),
    height: z.int().describe('Height in pixels of the file at `url`.'),
    fullSize: z
      .object({
        width: z.int().describe('Width in pixels.'),
        height: z.int().describe('Height in pixels.'),
        sizeBytes: z.int().describe('Size of the result as a lossless PNG; other formats follow from it roughly.'),
      })
      .nullable()
      .describe('The whole result, which a download of it has; null for a video.'),
    display: DisplayImage.nullable().describe('The result for display; null until it exists.'),
    isPreview: z
      .boolean()
      .describe('Small and watermarked, made to try out tools; never downloaded, paid for or archived.'),
    isUntouched: z
      .boolean()
      .describe(
        'Shows the original: no tool was requested, or none changed it visibly. Its file is clean, in full size and free.',
      ),
    hasWatermark: z.boolean().describe('Whether the file at `url` has a watermark.'),
    isEncoding: z
      .boolean()
      .describe(
        'The file for the current plan is being encoded; until then `url` and `display` show less, or are null.',
      ),
    keepLocation: z.boolean().describe('Whether the file keeps the location (GPS) of the original.'),
    aiPipeline: AiPipeline.describe('The tools of this result.'),
    convertedImages: z.array(ConvertedImage).describe('The result in the other formats that it was converted to.'),
    faces: z.array(FaceReport).describe('The faces that were found, and what was done to each; empty for a video.'),
    recipe: Recipe.describe('What reproduces the result byte for byte; also written into the file as an XMP packet.'),
    changes: z
      .object({
        url: z.url().describe('PNG of the change map. Signed and short-lived.'),
        width: z.int().describe('Width in pixels.'),
        height: z.int().describe('Height in pixels.'),
      })
      .nullable()
      .describe(
        'Change map: a gray picture whose opacity shows how much networks altered each pixel, at most 1024 pixels a side; null where none did.',
      ),
  })
  .meta({ id: 'TaskOutput' });
export type TaskOutput = z.infer<typeof TaskOutput>;

/** Sending of the first result to the `outputUploadUrl` of the request. */
export const OutputUpload = z
  .object({
    status: z
      .enum(['waiting', 'completed', 'failed'])
      .describe('`waiting` until there is a result and the address has taken it; failures are repeated for an hour.'),
    errorCode: z.string().nullable().describe('Why it failed; null when it did not, and when the task was cancelled.'),
  })
  .meta({ id: 'OutputUpload' });
export type OutputUpload = z.infer<typeof OutputUpload>;

/** A photo or video with its results. URLs are signed and short-lived. */
export const Task = z
  .object({
    taskId: z.uuid().describe('Id of the task.'),
    bulkUploadId: z.uuid().describe('Id of its upload.'),
    bulkUploadSize: z.int().positive().describe('Number of pictures of its upload; more than one is a batch.'),
    status: TaskStatus.describe('State of the task.'),
    progress: z
      .number()
      .min(0)
      .max(1)
      .describe('Progress of processing, 0 to 1.')
      .meta({ examples: [1] }),
    fileProgress: z
      .number()
      .min(0)
      .max(1)
      .describe('Progress of the upload, 0 to 1.')
      .meta({ examples: [1] }),
    queueWaitNum: z
      .int()
      .nullable()
      .describe('Position in the queue, 1 being next; 0 while processed; null when not queued.'),
    remainingSeconds: z
      .int()
      .nullable()
      .describe('Estimated seconds until the result; null when not queued or nothing has been measured.'),
    mediaType: MediaTypeField.describe('Kind of the task.'),
    aiPipeline: AiPipeline.describe('The tools that were requested.'),
    keepLocation: z.boolean().describe('Whether files keep the location (GPS) of the original.'),
    isTest: z.boolean().describe('Made with a test key: results keep the watermark, and the task can’t be paid for.'),
    hasWatermark: z.boolean().describe('Whether the file at `output_url` has a watermark.'),
    isExported: z
      .boolean()
      .describe(
        'The clean file was downloaded or paid for: further downloads are free, also while it is processed again.',
      ),
    exportState: z
      .enum(EXPORT_STATES)
      .describe(
        'Of the clean file: `preparing` between the payment, or the use of a download of the plan, and `is_exported`; then `ready`. Poll a task that is preparing: its file costs nothing more.',
      ),
    inputUrl: z.url().nullable().describe('The original. Signed and short-lived; null until it has been received.'),
    outputUrl: z
      .url()
      .nullable()
      .describe(
        'The newest result that is no preview, else the newest preview. Signed and short-lived; null until there is one.',
      ),
    outputContentType: z
      .string()
      .describe('Media type of the file at `output_url`.')
      .meta({ examples: ['image/jpeg'] }),
    display: TaskDisplay.describe('Pictures to show in pages.'),
    input: TaskInput.describe('The original.'),
    result: z.object({ outputs: z.array(TaskOutput).describe('Results, newest first.') }).describe('The results.'),
    sharing: TaskSharing.nullable().describe('The live public link; null without one.'),
    outputUpload: OutputUpload.nullable().describe(
      'Sending of the first result to the `output_upload_url` of the request; null without one.',
    ),
    errorCode: z
      .string()
      .nullable()
      .describe(
        'Why the task ended as `failed`, `invalid` or `cancelled`; a code of the errors of the API, else null.',
      ),
    createdAt: z.iso.datetime().describe('When the task was created.'),
    expiresAt: z.iso.datetime().describe('When the task and its files are deleted.'),
  })
  .meta({ id: 'Task' });
export type Task = z.infer<typeof Task>;

/** The tasks of one upload, and what was asked for. */
export const BulkUpload = z
  .object({
    bulkUploadId: z.uuid().describe('Id of the upload.'),
    status: TaskStatus.describe(
      'The most advanced status of its tasks; `completed` when all have ended, whatever their result.',
    ),
    taskList: z
      .array(Task)
      .describe('Its tasks. A call that names tasks of an upload of more than 15 answers with these tasks only.'),
    inputTaskList: z
      .array(
        z.object({
          taskId: z.uuid().describe('Id of the task.'),
          inputUrl: z
            .url()
            .nullable()
            .describe('The original. Signed and short-lived; null until it has been received.'),
          input: TaskInput.describe('The original’s properties.'),
        }),
      )
      .describe('Its originals.'),
  })
  .meta({ id: 'BulkUpload' });
export type BulkUpload = z.infer<typeof BulkUpload>;

/** A page of the history, newest first. */
export const TaskList = z
  .object({
    data: z.array(Task).describe('Tasks, newest first.'),
    hasMore: z
      .boolean()
      .describe(
        'There are older tasks: pass the last id as `starting_after`. After `ending_before`, there are newer tasks: pass the first id.',
      ),
  })
  .meta({ id: 'TaskList' });
export type TaskList = z.infer<typeof TaskList>;
