import { z } from 'zod';
import { defineRoute } from '../../http/route.js';

const amount = z.coerce.number().positive().optional();

/** What is left of videos this week. MB of 1,000,000 bytes, seconds. Used amounts count reservations of running work. */
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
    /** Which of the period's limits has been reached, or null. */
    limitHit: z.enum(['size', 'duration']).nullable(),
  })
  .meta({ id: 'VideoAllowance' });
export type VideoAllowance = z.infer<typeof VideoAllowance>;

export const videoLimitRoutes = {
  getVideoLimits: defineRoute({
    method: 'GET',
    path: '/users/@me/video-limits',
    tag: 'videos',
    summary: 'What my plan allows of videos, and what is used of it this week',
    allow: 'session',
    /** What the client believes; can only tighten what the plan allows. */
    query: z.object({
      period: z.literal('weekly').optional(),
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
