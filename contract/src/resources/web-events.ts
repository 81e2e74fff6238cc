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
  .regex(/^(?!0000)\d{4}-/)
  .meta({ examples: ['2026-11-30T12:00:00.000Z'] });

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
    id: z
      .string()
      .min(1)
      .max(200)
      .describe('Id, unique to the client; texts other than UUIDs are stored as a UUID derived from them.'),
    timestamp: ClientTime.describe('Time of the client’s clock; that of an anonymous event is shifted at random.'),
    type: z.enum(EVENT_TYPES).describe('Type of the event.'),
    subtype: z.enum(['session_start', 'session_end']).nullish().describe('Start or end of a session.'),
    kind: z.string().min(1).max(100).optional().describe('Kind of the event. Default: the subtype, else the type.'),
    data: opaque.default({}).describe('What happened; names keep their case.'),
    info: opaque
      .optional()
      .describe('Where it happened: path, language, `backend_id` of the address, experiments with their segments.'),
    ids: z
      .record(z.string().max(100), z.string().max(200))
      .optional()
      .describe('Stored identifiers beside that of the client, with consent only.'),
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
    summary: 'Record usage events',
    description: 'Stores usage events; an event with a known id is ignored.',
    allow: 'anyone',
    body: z
      .object({ events: z.array(WebEvent).min(1).max(MAX_EVENTS).describe('Events, at most 100.') })
      .meta({ id: 'WebEvents' }),
    responses: {
      202: z
        .object({ accepted: z.int().describe('Number of events that were accepted.') })
        .meta({ id: 'AcceptedEvents' }),
    },
    errors: [],
    limit: 'events',
  }),
} as const;

/** An error or a warning of a client (spec 1, section 7). */
export const MonitoringEvent = z
  .object({
    id: z.string().min(1).max(200).describe('Id, unique to the client.'),
    severity: z.string().min(1).max(30).describe('Severity, for instance `error`.'),
    categories: z.array(z.string().max(100)).max(20).default([]).describe('Where it happened.'),
    description: z.string().max(5_000).describe('What happened, at most 5,000 characters.'),
    errorCode: z.string().max(200).nullish().describe('Code of the error.'),
    info: z.record(z.string().max(100), z.unknown()).optional().describe('Details; names keep their case.'),
    createdAt: ClientTime.describe('Time of the client’s clock.'),
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
    summary: 'Report errors',
    description: 'Logs errors and warnings of a client.',
    allow: 'public',
    params: z.object({
      appId: z
        .string()
        .regex(/^[\w.-]{1,100}$/)
        .describe('Name of the client.'),
    }),
    body: z
      .object({
        userId: z.string().max(200).nullish().describe('Accepted but not logged.'),
        sentAt: ClientTime.optional().describe('Time of the client’s clock.'),
        payloads: z.array(MonitoringEvent).min(1).max(MAX_EVENTS).describe('Errors and warnings, at most 100.'),
      })
      .meta({ id: 'MonitoringEvents' }),
    responses: {
      202: z
        .object({ accepted: z.int().describe('Number of events that were accepted.') })
        .meta({ id: 'AcceptedMonitoringEvents' }),
    },
    errors: [],
    limit: 'events',
  }),
} as const;
