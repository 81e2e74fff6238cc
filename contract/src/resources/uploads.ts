import { z } from 'zod';
import { TaskStatus } from '../media/task-states.js';
import { IMAGE_CONTENT_TYPES, JPEG_QUALITIES } from '../media/types.js';
import { PipelineRequest } from '../pipeline/tools.js';

/** Overrides of the text direction, which can disguise the end of a name ('gpj.exe' shown as 'exe.jpg'). */
const DIRECTION_OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/g;

/** Displayed and sent in headers, so without control characters. */
export const FileName = z
  .string()
  .overwrite((name) => name.replace(DIRECTION_OVERRIDES, ''))
  .trim()
  .min(1)
  .max(255)
  .regex(/^\P{Cc}*$/u, { error: 'Control characters are not allowed' });

/** Converting an object may throw: its `toString` is the client's. */
const shown = (value: unknown): string => (typeof value === 'object' ? 'object' : String(value).slice(0, 20));

/** One of {@link JPEG_QUALITIES}; its error names the format, as spec 2, section 5 wants. */
export const JpegQualityField = z.union(
  JPEG_QUALITIES.map((quality) => z.literal(quality)),
  { error: ({ input }) => `Output format not available: image/jpeg of quality ${shown(input)}` },
);

/** A photo to upload, and what to do with it. */
export const ImageInput = z
  .object({
    imageContentType: z.enum(IMAGE_CONTENT_TYPES),
    /** Not an enum, so that the error can name an unknown format. Absent: the plan's default. */
    outputContentType: z.string().max(100).optional(),
    /** Absent: the user's saved default, else faces and background. */
    aiPipeline: PipelineRequest.optional(),
    fileName: FileName.optional(),
    /** Over 50 MB: `uploads.too_large`. */
    sizeBytes: z.int().positive().optional(),
    /** Lowercase hex. */
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
    jpegQuality: JpegQualityField.optional(),
    /** Keep the location (GPS) in the files. Absent: the user's preference, which is off by default. */
    keepLocation: z.boolean().optional(),
  })
  .meta({ id: 'ImageInput' });
export type ImageInput = z.infer<typeof ImageInput>;

/** Validation fails over this number; the plan's own limit has an error code. */
const InputTaskList = z.array(ImageInput).min(1).max(100);

/** One picture in the body itself, or a batch in `input_task_list`. */
export const CreateBulkUpload = ImageInput.partial({ imageContentType: true })
  .extend({ inputTaskList: InputTaskList.optional() })
  .superRefine((body, issues) => {
    if (!body.inputTaskList && !body.imageContentType) {
      issues.addIssue({ code: 'custom', path: ['imageContentType'], message: 'Required, or send input_task_list' });
    }
    if (body.inputTaskList && body.imageContentType) {
      issues.addIssue({ code: 'custom', path: ['inputTaskList'], message: 'Send either a picture or a list' });
    }
  })
  .meta({ id: 'CreateBulkUpload' });
export type CreateBulkUpload = z.infer<typeof CreateBulkUpload>;

/** The pictures of either form of the request. */
export function imageInputsOf({ inputTaskList, imageContentType, ...rest }: CreateBulkUpload): ImageInput[] {
  if (inputTaskList) return inputTaskList;
  return imageContentType ? [{ ...rest, imageContentType }] : [];
}

/** More photos for a batch that isn't final. */
export const AddToBulkUpload = z.object({ inputTaskList: InputTaskList }).meta({ id: 'AddToBulkUpload' });

/** Starts processing of uploaded photos. */
export const ProcessBulkUpload = z
  .object({
    /** Absent: all tasks of the upload. */
    taskIds: z.array(z.uuid()).min(1).max(100).optional(),
  })
  .meta({ id: 'ProcessBulkUpload' });

/**
 * Send the bytes by PUT with exactly these headers before the URL expires, in 15 minutes; `POST /tasks/:task_id/upload`
 * renews it. Or send them in parts to
 * `resumableUrl` by tus 1.0 (PATCH, HEAD, DELETE; the upload exists already, no POST) within 24 hours; null up to 8 MB
 * and for an undeclared size. Errors of the latter: `uploads.url_invalid`, `uploads.not_found`, `uploads.wrong_offset`,
 * `uploads.closed`, `uploads.expired`, and those of the file's bytes.
 */
export const UploadTarget = z
  .object({
    taskId: z.uuid(),
    status: TaskStatus,
    uploadUrl: z.url(),
    uploadHeaders: z.record(z.string(), z.string()),
    resumableUrl: z.url().nullable(),
  })
  .meta({ id: 'UploadTarget' });
export type UploadTarget = z.infer<typeof UploadTarget>;

/** Response to a new upload, with an address for each photo. */
export const BulkUploadCreated = z
  .object({ bulkUploadId: z.uuid(), status: TaskStatus, taskList: z.array(UploadTarget) })
  .meta({ id: 'BulkUploadCreated' });
export type BulkUploadCreated = z.infer<typeof BulkUploadCreated>;
