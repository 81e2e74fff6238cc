import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { MAX_EVENTS } from './constants.js';

/** Leaves other texts to the schema. */
function inUtc(text: string): string {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? text : new Date(milliseconds).toISOString();
}

/** A time of a client in ISO 8601, with any offset; read as UTC. Years 1 to 9999, which PostgreSQL stores. */
export const ClientTime = z.iso
  .datetime({ offset: true })
  .overwrite(inUtc)
  .regex(/^(?!0000)\d{4}-/);

/** Types of usage events (spec 1, section 3). */
const EVENT_TYPES = ['Session', 'UserAction', 'TechnicalEvent'] as const;

/** Request headers of the sink, besides the bearer token. `anonymous` and `tester` are `true` or absent. */
export const EVENT_HEADERS = {
  clientId: 'x-client-id',
  clientVersion: 'x-client-version',
  tester: 'x-tester',
  anonymous: 'x-anonymous',
} as const;

/** Opaque: keys keep their case on the wire. */
const opaque = z.record(z.string().max(100), z.unknown());

/** An event of a client (spec 1, section 3). */
export const WebEvent = z
  .object({
    /** Unique to the client. Stored as a UUID, which is derived from other texts. */
    id: z.string().min(1).max(200),
    /** Time of the client's clock; each anonymous event is shifted by a random time. */
    timestamp: ClientTime,
    type: z.enum(EVENT_TYPES),
    subtype: z.enum(['session_start', 'session_end']).nullish(),
    /** A key of `TRACKING_EVENTS`. Absent: the subtype, else the type. */
    kind: z.string().min(1).max(100).optional(),
    data: opaque.default({}),
    /** Where it happened: path, language, `backend_id` of the address, experiments with their segments. */
    info: opaque.optional(),
    /** Stored identifiers beside the client's (spec 1, section 3), with consent only: `anonymous_id` and others. */
    ids: z.record(z.string().max(100), z.string().max(200)).optional(),
  })
  .meta({ id: 'WebEvent' });
export type WebEvent = z.infer<typeof WebEvent>;

/** Sink of usage events. */
export const eventRoutes = {
  recordEvents: defineRoute({
    method: 'POST',
    base: '/api/v4',
    path: '/web-events',
    tag: 'events',
    summary: 'Record usage events; an event with a known id is ignored',
    allow: 'anyone',
    body: z.object({ events: z.array(WebEvent).min(1).max(MAX_EVENTS) }).meta({ id: 'WebEvents' }),
    responses: { 202: z.object({ accepted: z.int() }).meta({ id: 'AcceptedEvents' }) },
    errors: [],
    limit: 'events',
  }),
} as const;

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
    info: z.record(z.string().max(100), z.unknown()).optional(),
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
