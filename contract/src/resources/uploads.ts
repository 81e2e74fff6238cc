import { z } from 'zod';
import { TaskStatus } from '../media/task-states.js';
import { IMAGE_CONTENT_TYPES, JPEG_QUALITIES, MAX_FILES_PER_KEY_UPLOAD } from '../media/types.js';
import { PipelineRequest } from '../pipeline/tools.js';
import { CallbackUrl } from './webhook-url.js';

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

/** Of a file elsewhere. */
const RemoteAddress = z.string().min(1).max(2048).optional();

/**
 * Where files come from and go to besides the product's own addresses, for keys only: the file at `inputUrl` is fetched,
 * and processing starts by itself; the first result is sent to `outputUploadUrl`. Refused with `uploads.address_*`.
 */
export const RemoteFiles = {
  inputUrl: RemoteAddress.describe(
    'Address of the file, in place of its bytes: https, on the public internet. Processing starts by itself. At most 2,048 characters.',
  ),
  outputUploadUrl: RemoteAddress.describe(
    'Address that receives the first result by one PUT, such as a pre-signed address of a store: https, on the public internet. At most 2,048 characters.',
  ),
};

/** By the rules of {@link RemoteFiles}, also of a picture that is sent; see `Mask`. */
export const MaskUrl = RemoteAddress.describe(
  'Address of a mask that limits the tools to a part of the picture: an 8-bit gray PNG of the size of the upright picture. White applies them fully, black keeps the pixels, gray is between. At most 16,000,000 bytes; https, on the public internet.',
);

/** Of a description. */
export const RESULT_FORMATS =
  '`image/png`, `image/jpeg`, `image/tiff`, or with the original and the result as layers `image/vnd.adobe.photoshop` or `image/tiff;application=photoshop`.';

const IMAGE_FIELDS = z.object({
  imageContentType: z
    .enum(IMAGE_CONTENT_TYPES)
    .optional()
    .describe(
      'Media type of the file. The bytes decide if they are of another accepted type. Required without `input_url`.',
    ),
  outputContentType: z
    .string()
    .max(100)
    .optional()
    .describe(
      `Media type of the result: ${RESULT_FORMATS} Default: that of the plan. All but JPEG need the Business plan.`,
    ),
  aiPipeline: PipelineRequest.optional().describe(
    'The tools to apply. Default: the tools saved in the account, else `face_enhance` and `background_enhance`.',
  ),
  fileName: FileName.optional().describe(
    'Name of the file, from which the name of the download is made; 1 to 255 characters.',
  ),
  sizeBytes: z
    .int()
    .positive()
    .optional()
    .describe('Size of the file in bytes, at most 50,000,000. A file of another size is refused.'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .describe('SHA-256 of the file, in lowercase hex. Other bytes are refused.'),
  jpegQuality: JpegQualityField.optional().describe('Quality of a JPEG result, in percent. Default: 90.'),
  keepLocation: z
    .boolean()
    .optional()
    .describe(
      'Keep the location (GPS) of the picture in the results. Default: the preference of the account, which is off at first.',
    ),
  ...RemoteFiles,
  maskUrl: MaskUrl,
});

/** A photo to upload, or to fetch, and what to do with it. */
export const ImageInput = IMAGE_FIELDS.refine(({ imageContentType, inputUrl }) => imageContentType ?? inputUrl, {
  path: ['imageContentType'],
  error: 'Required, or send input_url',
}).meta({
  id: 'ImageInput',
  example: { image_content_type: 'image/jpeg', file_name: 'photo.jpg', size_bytes: 2_400_000 },
});
export type ImageInput = z.infer<typeof ImageInput>;

/** Validation fails over this number; the plan's own limit has an error code. */
const InputTaskList = z.array(ImageInput).min(1).max(MAX_FILES_PER_KEY_UPLOAD);

/** One picture in the body itself, or a batch in `input_task_list`. */
export const CreateBulkUpload = IMAGE_FIELDS.extend({
  inputTaskList: InputTaskList.optional().describe(
    'The pictures of a batch. Send either this, or one picture in the other members.',
  ),
  callbackUrl: CallbackUrl.optional(),
})
  .superRefine((body, issues) => {
    const hasPicture = body.imageContentType !== undefined || body.inputUrl !== undefined;
    if (!body.inputTaskList && !hasPicture) {
      issues.addIssue({ code: 'custom', path: ['imageContentType'], message: 'Required, or send input_task_list' });
    }
    if (body.inputTaskList && hasPicture) {
      issues.addIssue({ code: 'custom', path: ['inputTaskList'], message: 'Send either a picture or a list' });
    }
  })
  .meta({
    id: 'CreateBulkUpload',
    // zod leaves `examples` out where a member is transformed.
    example: { image_content_type: 'image/jpeg', file_name: 'photo.jpg', size_bytes: 2_400_000 },
  });
export type CreateBulkUpload = z.infer<typeof CreateBulkUpload>;

/** The pictures of either form of the request. */
export const imageInputsOf = ({ inputTaskList, callbackUrl: _, ...picture }: CreateBulkUpload): ImageInput[] =>
  inputTaskList ?? [picture];

/** More photos for a batch that isn't final. */
export const AddToBulkUpload = z
  .object({ inputTaskList: InputTaskList.describe('The pictures to add.') })
  .meta({ id: 'AddToBulkUpload' });

/** Starts processing of uploaded photos. */
export const ProcessBulkUpload = z
  .object({
    taskIds: z
      .array(z.uuid())
      .min(1)
      .max(MAX_FILES_PER_KEY_UPLOAD)
      .optional()
      .describe('The tasks to start, whose files have been sent. Default: all tasks of the upload.'),
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
    taskId: z.uuid().describe('Id of the task.'),
    status: TaskStatus.describe('`started` while the file is awaited.'),
    uploadUrl: z
      .url()
      .describe(
        'Send the bytes of the file here by PUT, with exactly `upload_headers`. Signed; expires after 15 minutes, and `POST /tasks/{task_id}/upload` renews it.',
      ),
    uploadHeaders: z.record(z.string(), z.string()).describe('Headers of the PUT, by name.'),
    resumableUrl: z
      .url()
      .nullable()
      .describe(
        'Or send the bytes in parts here by tus 1.0 (PATCH, HEAD and DELETE; the upload exists already) within 24 hours. Null up to 8,000,000 bytes and for an undeclared size.',
      ),
  })
  .meta({ id: 'UploadTarget' });
export type UploadTarget = z.infer<typeof UploadTarget>;

/** Response to a new upload, with an address for each photo. */
export const BulkUploadCreated = z
  .object({
    bulkUploadId: z.uuid().describe('Id of the upload.'),
    status: TaskStatus.describe(
      'Status of the upload: the most advanced of its tasks, `completed` when all have ended.',
    ),
    taskList: z.array(UploadTarget).describe('A task and address for each picture, in the order of the request.'),
  })
  .meta({ id: 'BulkUploadCreated' });
export type BulkUploadCreated = z.infer<typeof BulkUploadCreated>;
