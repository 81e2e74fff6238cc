import { z } from 'zod';
import { ClientTime } from '../http/client-time.js';
import { defineRoute } from '../http/route.js';
import { MAX_EVENTS } from './constants.js';

/** An error or a warning of a client (spec 1, section 7). */
export const MonitoringEvent = z
  .object({
    id: z.string().min(1).max(200),
    /** For instance `error`. */
    severity: z.string().min(1).max(30),
    categories: z.array(z.string().max(100)).max(20).default([]),
    description: z.string().max(5_000),
    errorCode: z.string().max(200).nullish(),
    /** Opaque: keys keep their case on the wire. */
    info: z.record(z.string().max(100), z.json()).optional(),
    createdAt: ClientTime,
  })
  .meta({ id: 'MonitoringEvent' });
export type MonitoringEvent = z.infer<typeof MonitoringEvent>;

/** Sink of errors that browsers report. */
export const monitoringRoutes = {
  recordMonitoringEvents: defineRoute({
    method: 'POST',
    base: '/api/v2',
    path: '/public/apps/:appId/events',
    tag: 'events',
    summary: 'Report errors and warnings of a client, which are logged',
    allow: 'public',
    params: z.object({ appId: z.string().regex(/^[\w.-]{1,100}$/) }),
    body: z
      .object({
        /** Accepted but not logged. */
        userId: z.string().max(200).nullish(),
        sentAt: ClientTime.optional(),
        payloads: z.array(MonitoringEvent).min(1).max(MAX_EVENTS),
      })
      .meta({ id: 'MonitoringEvents' }),
    responses: { 202: z.object({ accepted: z.int() }).meta({ id: 'AcceptedMonitoringEvents' }) },
    errors: [],
    limit: 'events',
  }),
} as const;
