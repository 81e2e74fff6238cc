import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { VIDEO_NOTES, VideoPlan, VideoRecipe } from '../jobs/videos.js';
import { TaskStatus } from '../media/task-states.js';
import { VIDEO_CONTENT_TYPES } from '../media/types.js';
import { VideoPipeline } from '../pipeline/tools.js';
import { USAGE_ERRORS } from './plugin-keys.js';
import { TaskSharing } from './sharings.js';
import { OutputUpload } from './task.js';
import { FileName, RemoteFiles, UploadTarget } from './uploads.js';
import { CALLBACK_ERRORS, CallbackUrl } from './webhook-url.js';

const queryAmount = z.coerce.number().positive().optional();

/** MB of 1,000,000 bytes, seconds. Used amounts include reservations. */
export const VideoAllowance = z
  .object({
    period: z.literal('weekly').describe('The allowance is weekly.'),
    maxSizeMb: z.number().describe('Most megabytes (1,000,000 bytes) of one video.'),
    maxLength: z.number().describe('Most seconds of one video.'),
    maxPeriodSizeMb: z.number().describe('Most megabytes (1,000,000 bytes) of a week.'),
    maxPeriodLength: z.number().describe('Most seconds of a week.'),
    usedSizeMb: z.number().describe('Megabytes used this week, with those reserved for videos that are processed.'),
    usedLength: z.number().describe('Seconds used this week, with those reserved for videos that are processed.'),
    resetsAt: z.iso.datetime().describe('The next Monday, 00:00 GMT.'),
    limitHit: z
      .enum(['size', 'duration'])
      .nullable()
      .describe('The limit of the week that is reached; null if none is.'),
  })
  .meta({ id: 'VideoAllowance' });
export type VideoAllowance = z.infer<typeof VideoAllowance>;

/** The weekly allowance for videos. */
export const videoLimitRoutes = {
  getVideoLimits: defineRoute({
    method: 'GET',
    path: '/users/@me/video-limits',
    tag: 'videos',
    summary: 'Get video limits',
    description: 'Returns the video limits of the plan and their use this week.',
    allow: { sessionOrKey: 'videos' },
    /** Limits of the client, which can only tighten the plan's. */
    query: z.object({
      period: z
        .enum(['weekly', 'monthly', 'yearly'])
        .optional()
        .describe('A period of a plan; the allowance is the same in each, and weekly.'),
      maxSizeMb: queryAmount.describe(
        'A limit of the client in megabytes of one video; can only tighten that of the plan.',
      ),
      maxLength: queryAmount.describe(
        'A limit of the client in seconds of one video; can only tighten that of the plan.',
      ),
      maxPeriodSizeMb: queryAmount.describe(
        'A limit of the client in megabytes of a week; can only tighten that of the plan.',
      ),
      maxPeriodLength: queryAmount.describe(
        'A limit of the client in seconds of a week; can only tighten that of the plan.',
      ),
    }),
    responses: { 200: VideoAllowance },
    errors: ['videos.not_in_plan'],
    limit: 'reads',
  }),
} as const;

const amount = z.number().positive().optional();

/** Limits that the client shows, in MB of 1,000,000 bytes and seconds. They can only tighten those of the plan. */
export const EligibilityLimits = z
  .object({
    maxSizeMb: amount.describe('Most megabytes (1,000,000 bytes) of the video. Default: the limit of the plan.'),
    maxLength: amount.describe('Most seconds of the video. Default: the limit of the plan.'),
    maxPeriodSizeMb: amount.describe(
      'Most megabytes of the week, including the video. Default: the limit of the plan.',
    ),
    maxPeriodLength: amount.describe('Most seconds of the week, including the video. Default: the limit of the plan.'),
  })
  .meta({ id: 'EligibilityLimits' });
export type EligibilityLimits = z.infer<typeof EligibilityLimits>;

/** A video to upload, as the client reads the file. */
export const CreateVideoTask = z
  .object({
    videoContentType: z
      .enum(VIDEO_CONTENT_TYPES)
      .optional()
      .describe('Media type of the file: MP4 or MOV. The bytes decide. Required without `input_url`.'),
    eligibilityLimits: EligibilityLimits.default({}).describe(
      'Limits that the client shows; can only tighten those of the plan.',
    ),
    videoMetadata: z
      .object({
        fileName: FileName.optional().describe('Name of the file, 1 to 255 characters.'),
        size: z
          .int()
          .positive()
          .optional()
          .describe('Size of the file in bytes. Required without `input_url`.')
          .meta({ examples: [12_000_000] }),
        duration: z.number().nonnegative().nullish().describe('Length in seconds; absent or null where it is unknown.'),
        width: z.int().nonnegative().nullish().describe('Width in pixels; absent or null where it is unknown.'),
        height: z.int().nonnegative().nullish().describe('Height in pixels; absent or null where it is unknown.'),
      })
      .default({})
      .describe(
        'What the client knows of the file, to refuse it before it is sent. The limits apply to what is read from the file.',
      ),
    aiPipeline: VideoPipeline.optional().describe(
      'The tools to apply. Default: `face_enhance` and `background_enhance`, each with the model `base`.',
    ),
    callbackUrl: CallbackUrl.optional(),
    ...RemoteFiles,
  })
  .superRefine(({ inputUrl, videoContentType, videoMetadata }, issues) => {
    if (inputUrl !== undefined) return;
    const message = 'Required, or send input_url';
    if (!videoContentType) issues.addIssue({ code: 'custom', path: ['videoContentType'], message });
    if (!videoMetadata.size) issues.addIssue({ code: 'custom', path: ['videoMetadata', 'size'], message });
  })
  .meta({
    id: 'CreateVideoTask',
    example: { video_content_type: 'video/mp4', video_metadata: { file_name: 'clip.mp4', size: 12_000_000 } },
  });
export type CreateVideoTask = z.infer<typeof CreateVideoTask>;

/** Like {@link UploadTarget}; the video's id is also its task's. */
export const VideoTaskCreated = UploadTarget.omit({ taskId: true })
  .extend({ videoTaskId: z.uuid().describe('Id of the video, and of its task.') })
  .meta({ id: 'VideoTaskCreated' });
export type VideoTaskCreated = z.infer<typeof VideoTaskCreated>;

/** A limit of the plan that the file exceeds, in MB or seconds. */
export const ReachedVideoLimit = z
  .object({
    limit: z
      .enum(['max_size_mb', 'max_length', 'max_period_size_mb', 'max_period_length'])
      .describe('The limit of the plan that is exceeded.'),
    value: z.number().describe('Megabytes or seconds of the file, or of the week including it.'),
    allowed: z.number().describe('Megabytes or seconds that the plan allows.'),
  })
  .meta({ id: 'ReachedVideoLimit' });
export type ReachedVideoLimit = z.infer<typeof ReachedVideoLimit>;

/** Width and height in pixels as shown, duration in seconds; null until the file has been read. */
const VideoInput = z
  .object({
    fileName: z
      .string()
      .nullable()
      .describe('Name of the file; null if none was sent.')
      .meta({ examples: ['clip.mp4'] }),
    contentType: z.enum(VIDEO_CONTENT_TYPES).describe('Media type of the original.'),
    width: z.int().nullable().describe('Width in pixels as shown; null until the file has been read.'),
    height: z.int().nullable().describe('Height in pixels as shown; null until the file has been read.'),
    duration: z.number().nullable().describe('Length in seconds; null until the file has been read.'),
    frameRate: z
      .number()
      .nullable()
      .describe('Frames per second, the mean of a variable rate; null until the file has been read.'),
    sizeBytes: z.int().nullable().describe('Size in bytes; null until the file has been read.'),
    sha256: z
      .string()
      .nullable()
      .describe('SHA-256 of the stored original, in lowercase hex; null before processing starts.'),
  })
  .meta({ id: 'VideoInput' });

/** URLs are signed and short-lived. */
export const VideoTaskResult = z
  .object({
    id: z.uuid().describe('Id of the run that made the result.'),
    number: z.int().positive().describe('Counts the results of the video from 1; stays when others are deleted.'),
    aiPipeline: VideoPipeline.describe('The tools of this result.'),
    inputUrl: z.url().describe('The original. Signed and short-lived.'),
    outputUrl: z.url().describe('The enhanced video as MP4. Signed and short-lived.'),
    posterUrl: z.url().describe('JPEG of the first frame of the result. Signed and short-lived.'),
    displayInputUrl: z.url().describe('The original as MP4 that browsers play. Signed and short-lived.'),
    width: z.int().describe('Width in pixels of the file at `output_url`.'),
    height: z.int().describe('Height in pixels of the file at `output_url`.'),
    duration: z.number().describe('Length in seconds.'),
    sizeBytes: z.int().describe('Size in bytes.'),
    recipe: VideoRecipe.describe('What made the result.'),
    notes: z.array(z.enum(VIDEO_NOTES)).describe('How the result differs from the original besides the tools.'),
    facesFollowed: z.int().describe('People whose faces were followed.'),
    facesRestored: z.int().describe('Those of them whose faces a network has restored.'),
  })
  .meta({ id: 'VideoTaskResult' });
export type VideoTaskResult = z.infer<typeof VideoTaskResult>;

/** A video. It is also a task: `/tasks/{id}` and the routes below it take its id. */
export const VideoTask = z
  .object({
    videoTaskId: z
      .uuid()
      .describe('Id of the video, and of its task: `/tasks/{id}` and the routes below it take it, too.'),
    status: TaskStatus.describe('State of the video.'),
    progress: z.number().min(0).max(1).describe('Progress of processing, 0 to 1; never decreases.'),
    fileProgress: z.number().min(0).max(1).describe('Progress of the upload, 0 to 1.'),
    remainingSeconds: z
      .int()
      .nullable()
      .describe('Estimated seconds until the result; null when not queued or unknown.'),
    queueWaitNum: z
      .int()
      .nullable()
      .describe('Position in the queue, 1 being next; 0 while processed; null when not queued.'),
    aiPipeline: VideoPipeline.describe('The tools that were requested.'),
    input: VideoInput.describe('The original.'),
    plan: VideoPlan.nullable().describe(
      'How the video is enhanced, and the time that takes; null until the file has been read.',
    ),
    posterUrl: z
      .url()
      .nullable()
      .describe('JPEG of the first frame of the original. Signed and short-lived; null until the file has been read.'),
    preview: z
      .object({
        inputUrl: z.url().describe('Small JPEG of a frame of the original. Signed and short-lived.'),
        outputUrl: z.url().describe('Small JPEG of the same frame, enhanced. Signed and short-lived.'),
      })
      .nullable()
      .describe('The same frame before and after, while the video is enhanced; else null.'),
    result: VideoTaskResult.nullable().describe('The newest result; null until there is one.'),
    earlierResults: z
      .array(VideoTaskResult)
      .describe('The results before it, newest first; with the newest at most 5 are kept.'),
    sharing: TaskSharing.nullable().describe('The live public link; null without one.'),
    outputUpload: OutputUpload.nullable().describe(
      'Sending of the first result to the `output_upload_url` of the request; null without one.',
    ),
    errorCode: z
      .string()
      .nullable()
      .describe(
        'Why the video ended as `failed`, `invalid` or `cancelled`; a code of the errors of the API, else null.',
      ),
    reachedLimit: ReachedVideoLimit.nullable().describe(
      'The limit that was exceeded, with the error code `videos.limit_reached`; else null.',
    ),
    createdAt: z.iso.datetime().describe('When the video was created.'),
    expiresAt: z.iso.datetime().describe('When the video and its files are deleted.'),
  })
  .meta({ id: 'VideoTask' });
export type VideoTask = z.infer<typeof VideoTask>;

const videoParams = z.object({ videoTaskId: z.uuid().describe('Id of the video.') });

/** `details` of `videos.limit_reached` are a {@link ReachedVideoLimit}. */
export const videoRoutes = {
  createVideoTask: defineRoute({
    method: 'POST',
    path: '/video-tasks',
    tag: 'videos',
    summary: 'Create a video',
    description:
      'Announces a video of MP4 or MOV and returns the address to send the file to. It uses the weekly video allowance, and no download.',
    enhances: true,
    allow: { sessionOrKey: 'videos' },
    body: CreateVideoTask,
    responses: { 201: VideoTaskCreated },
    errors: [
      'service.country_blocked',
      'videos.not_in_plan',
      'videos.limit_reached',
      'videos.unavailable',
      'pipeline.not_in_plan',
      ...CALLBACK_ERRORS,
      'plugin_keys.required',
    ],
    limit: 'writes',
    idempotent: true,
  }),
  processVideoTask: defineRoute({
    method: 'POST',
    path: '/video-tasks/:videoTaskId/process',
    tag: 'videos',
    summary: 'Start enhancing a video',
    description: 'Checks the file that has been sent and starts enhancing it. Idempotent, and a retry after a failure.',
    enhances: true,
    allow: { sessionOrKey: 'videos' },
    params: videoParams,
    responses: { 202: VideoTask },
    errors: [
      'service.country_blocked',
      'tasks.not_found',
      'tasks.wrong_state',
      'videos.not_in_plan',
      'videos.limit_reached',
      'uploads.missing',
      'uploads.expired',
      'uploads.empty',
      'uploads.too_large',
      'uploads.too_many_pixels',
      'uploads.unsupported_type',
      'uploads.undecodable',
      'uploads.size_mismatch',
      'uploads.checksum_mismatch',
      'queue.full',
      ...USAGE_ERRORS,
    ],
    limit: 'writes',
    idempotent: true,
  }),
  reprocessVideoTask: defineRoute({
    method: 'POST',
    path: '/video-tasks/:videoTaskId/reprocess',
    tag: 'videos',
    summary: 'Enhance a video again',
    description: 'Enhances a finished video again with other tools, as a further result; uses no allowance.',
    enhances: true,
    allow: { sessionOrKey: 'videos' },
    params: videoParams,
    body: z.object({ aiPipeline: VideoPipeline.describe('The tools to apply.') }).meta({ id: 'ReprocessVideo' }),
    responses: { 202: VideoTask },
    errors: [
      'service.country_blocked',
      'tasks.not_found',
      'tasks.wrong_state',
      'videos.not_in_plan',
      'videos.unavailable',
      'pipeline.not_in_plan',
      'queue.full',
      ...USAGE_ERRORS,
    ],
    limit: 'writes',
    idempotent: true,
  }),
  cancelVideoTask: defineRoute({
    method: 'POST',
    path: '/video-tasks/:videoTaskId/cancel',
    tag: 'videos',
    summary: 'Cancel a video',
    description: 'Cancels a video that has not ended; its allowance is released. Idempotent.',
    allow: { sessionOrKey: 'videos' },
    params: videoParams,
    responses: { 200: VideoTask },
    errors: ['tasks.not_found', 'tasks.wrong_state'],
    limit: 'writes',
  }),
  getVideoTask: defineRoute({
    method: 'GET',
    path: '/video-tasks/:videoTaskId',
    tag: 'videos',
    summary: 'Get a video',
    description:
      'Returns the video with its results; with `Prefer: wait=60` once it has ended, or when the time is over.',
    allow: { sessionOrKey: 'videos' },
    params: videoParams,
    responses: { 200: VideoTask },
    waits: true,
    errors: ['tasks.not_found'],
    limit: 'reads',
  }),
} as const;
