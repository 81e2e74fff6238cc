import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { VIDEO_NOTES, VideoPlan, VideoRecipe } from '../jobs/videos.js';
import { TaskStatus } from '../media/task-states.js';
import { VIDEO_CONTENT_TYPES } from '../media/types.js';
import { VideoPipeline } from '../pipeline/tools.js';
import { TaskSharing } from './sharings.js';
import { FileName, UploadTarget } from './uploads.js';

const queryAmount = z.coerce.number().positive().optional();

/** MB of 1,000,000 bytes, seconds. Used amounts include reservations. */
export const VideoAllowance = z
  .object({
    period: z.literal('weekly'),
    maxSizeMb: z.number(),
    maxLength: z.number(),
    maxPeriodSizeMb: z.number(),
    maxPeriodLength: z.number(),
    usedSizeMb: z.number(),
    usedLength: z.number(),
    /** The next Monday 00:00 GMT. */
    resetsAt: z.iso.datetime(),
    /** The period's limit that is reached. */
    limitHit: z.enum(['size', 'duration']).nullable(),
  })
  .meta({ id: 'VideoAllowance' });
export type VideoAllowance = z.infer<typeof VideoAllowance>;

/** The weekly allowance for videos. */
export const videoLimitRoutes = {
  getVideoLimits: defineRoute({
    method: 'GET',
    path: '/users/@me/video-limits',
    tag: 'videos',
    summary: 'Get the video limits of the plan and their use this week',
    allow: { sessionOrKey: 'media' },
    /** Limits of the client, which can only tighten the plan's. */
    query: z.object({
      /** Periods of a plan; the allowance is the same in each, and weekly. */
      period: z.enum(['weekly', 'monthly', 'yearly']).optional(),
      maxSizeMb: queryAmount,
      maxLength: queryAmount,
      maxPeriodSizeMb: queryAmount,
      maxPeriodLength: queryAmount,
    }),
    responses: { 200: VideoAllowance },
    errors: ['videos.not_in_plan'],
    limit: 'reads',
  }),
} as const;

const amount = z.number().positive().optional();

/** Limits that the client shows, in MB of 1,000,000 bytes and seconds. They can only tighten those of the plan. */
export const EligibilityLimits = z
  .object({ maxSizeMb: amount, maxLength: amount, maxPeriodSizeMb: amount, maxPeriodLength: amount })
  .meta({ id: 'EligibilityLimits' });
export type EligibilityLimits = z.infer<typeof EligibilityLimits>;

/** A video to upload, as the client reads the file. */
export const CreateVideoTask = z
  .object({
    videoContentType: z.enum(VIDEO_CONTENT_TYPES),
    eligibilityLimits: EligibilityLimits.default({}),
    /** What the client read, to refuse a file before it is sent. The limits apply to what the backend reads. */
    videoMetadata: z.object({
      fileName: FileName.optional(),
      /** Bytes. */
      size: z.int().positive(),
      /** Seconds; absent or null where the browser can't read the file. */
      duration: z.number().nonnegative().nullish(),
      /** Pixels. */
      width: z.int().nonnegative().nullish(),
      height: z.int().nonnegative().nullish(),
    }),
    /** Absent: face and background base. */
    aiPipeline: VideoPipeline.optional(),
  })
  .meta({ id: 'CreateVideoTask' });
export type CreateVideoTask = z.infer<typeof CreateVideoTask>;

/** Like {@link UploadTarget}; the video's id is also its task's. */
export const VideoTaskCreated = UploadTarget.omit({ taskId: true })
  .extend({ videoTaskId: z.uuid() })
  .meta({ id: 'VideoTaskCreated' });
export type VideoTaskCreated = z.infer<typeof VideoTaskCreated>;

/** A limit of the plan that the file exceeds, in MB or seconds. */
export const ReachedVideoLimit = z
  .object({
    limit: z.enum(['max_size_mb', 'max_length', 'max_period_size_mb', 'max_period_length']),
    /** Measured for the file, or for the week including it. */
    value: z.number(),
    allowed: z.number(),
  })
  .meta({ id: 'ReachedVideoLimit' });
export type ReachedVideoLimit = z.infer<typeof ReachedVideoLimit>;

/** Width and height in pixels as shown, duration in seconds; null until the file has been read. */
const VideoInput = z
  .object({
    fileName: z.string().nullable(),
    contentType: z.enum(VIDEO_CONTENT_TYPES),
    width: z.int().nullable(),
    height: z.int().nullable(),
    duration: z.number().nullable(),
    frameRate: z.number().nullable(),
    sizeBytes: z.int().nullable(),
    /** Hash of the stored original, in lowercase hex; null before `process`. */
    sha256: z.string().nullable(),
  })
  .meta({ id: 'VideoInput' });

/** URLs are signed and short-lived. */
export const VideoTaskResult = z
  .object({
    /** Id of the run that made it. */
    id: z.uuid(),
    /** Counts the video's results from 1; stays when others are deleted. */
    number: z.int().positive(),
    aiPipeline: VideoPipeline,
    /** The original. */
    inputUrl: z.url(),
    outputUrl: z.url(),
    /** JPEG of the result's first frame. */
    posterUrl: z.url(),
    /** The original as MP4 that browsers play. */
    displayInputUrl: z.url(),
    /** Pixels of the file at `outputUrl`. */
    width: z.int(),
    height: z.int(),
    /** Seconds. */
    duration: z.number(),
    sizeBytes: z.int(),
    recipe: VideoRecipe,
    notes: z.array(z.enum(VIDEO_NOTES)),
    /** People whose faces were followed, and those of them that a network has restored. */
    facesFollowed: z.int(),
    facesRestored: z.int(),
  })
  .meta({ id: 'VideoTaskResult' });
export type VideoTaskResult = z.infer<typeof VideoTaskResult>;

/** A video. It is also a task: `/tasks/{id}` and the routes below it take its id. */
export const VideoTask = z
  .object({
    videoTaskId: z.uuid(),
    status: TaskStatus,
    /** Progress of processing, 0..1; never decreases. */
    progress: z.number().min(0).max(1),
    /** Progress of the upload, 0..1. */
    fileProgress: z.number().min(0).max(1),
    /** Estimate; null when not queued or unknown. */
    remainingSeconds: z.int().nullable(),
    /** Position in the queue, 1 being next; 0 while processed; null when not queued. */
    queueWaitNum: z.int().nullable(),
    aiPipeline: VideoPipeline,
    input: VideoInput,
    /** How it is enhanced, and the time that takes; null until the file has been read. */
    plan: VideoPlan.nullable(),
    /** JPEG of the original's first frame; null until the file has been read. */
    posterUrl: z.url().nullable(),
    /** The same frame before and after, as small JPEGs, while the video is enhanced. */
    preview: z.object({ inputUrl: z.url(), outputUrl: z.url() }).nullable(),
    /** The newest. */
    result: VideoTaskResult.nullable(),
    /** Those before it, newest first; with the newest at most 5 are kept. */
    earlierResults: z.array(VideoTaskResult),
    sharing: TaskSharing.nullable(),
    errorCode: z.string().nullable(),
    /** With the error code `videos.limit_reached`. */
    reachedLimit: ReachedVideoLimit.nullable(),
    createdAt: z.iso.datetime(),
    /** When the media are deleted. */
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'VideoTask' });
export type VideoTask = z.infer<typeof VideoTask>;

const videoParams = z.object({ videoTaskId: z.uuid() });

/** `details` of `videos.limit_reached` are a {@link ReachedVideoLimit}. */
export const videoRoutes = {
  createVideoTask: defineRoute({
    method: 'POST',
    path: '/video-tasks',
    tag: 'videos',
    summary: 'Create a video and get the address to send the file to',
    enhances: true,
    allow: { sessionOrKey: 'media' },
    body: CreateVideoTask,
    responses: { 201: VideoTaskCreated },
    errors: [
      'service.country_blocked',
      'videos.not_in_plan',
      'videos.limit_reached',
      'videos.unavailable',
      'pipeline.not_in_plan',
    ],
    limit: 'writes',
    idempotent: true,
  }),
  processVideoTask: defineRoute({
    method: 'POST',
    path: '/video-tasks/:videoTaskId/process',
    tag: 'videos',
    summary: 'Check the uploaded video and start enhancing it; idempotent, and a retry after a failure',
    enhances: true,
    allow: { sessionOrKey: 'media' },
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
    ],
    limit: 'writes',
    idempotent: true,
  }),
  reprocessVideoTask: defineRoute({
    method: 'POST',
    path: '/video-tasks/:videoTaskId/reprocess',
    tag: 'videos',
    summary: 'Enhance a finished video again with other tools, as a further result; uses no allowance',
    enhances: true,
    allow: { sessionOrKey: 'media' },
    params: videoParams,
    body: z.object({ aiPipeline: VideoPipeline }).meta({ id: 'ReprocessVideo' }),
    responses: { 202: VideoTask },
    errors: [
      'service.country_blocked',
      'tasks.not_found',
      'tasks.wrong_state',
      'videos.not_in_plan',
      'videos.unavailable',
      'pipeline.not_in_plan',
      'queue.full',
    ],
    limit: 'writes',
    idempotent: true,
  }),
  cancelVideoTask: defineRoute({
    method: 'POST',
    path: '/video-tasks/:videoTaskId/cancel',
    tag: 'videos',
    summary: 'Cancel a video that is not finished; its allowance is released; idempotent',
    allow: { sessionOrKey: 'media' },
    params: videoParams,
    responses: { 200: VideoTask },
    errors: ['tasks.not_found', 'tasks.wrong_state'],
    limit: 'writes',
  }),
  getVideoTask: defineRoute({
    method: 'GET',
    path: '/video-tasks/:videoTaskId',
    tag: 'videos',
    summary: 'Get a video; with `Prefer: wait=60` once it is final, or when the time is over',
    allow: { sessionOrKey: 'media' },
    params: videoParams,
    responses: { 200: VideoTask },
    waits: true,
    errors: ['tasks.not_found'],
    limit: 'reads',
  }),
} as const;
