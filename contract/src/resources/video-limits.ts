import { z } from 'zod';
import { defineRoute } from '../http/route.js';

const amount = z.coerce.number().positive().optional();

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
      maxSizeMb: amount,
      maxLength: amount,
      maxPeriodSizeMb: amount,
      maxPeriodLength: amount,
    }),
    responses: { 200: VideoAllowance },
    errors: ['videos.not_in_plan'],
    limit: 'reads',
  }),
} as const;
