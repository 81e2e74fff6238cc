import {
  EVENT_HEADERS,
  eventRoutes,
  type MonitoringEvent,
  monitoringRoutes,
  type RouteInput,
} from '@clearframe/contract';
import { Controller, Logger, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, MaybeCaller } from '../sessions/caller.js';
import { type EventSource, WebEventsRepository } from './web-events.repository.js';

const MAX_HEADER_LENGTH = 100;

/** The product's own analytics: clients send events here unless another host is configured. */
@Controller()
export class WebEventsController {
  constructor(private readonly events: WebEventsRepository) {}

  @Route(eventRoutes.recordEvents)
  async record(
    @Req() { headers }: FastifyRequest,
    @MaybeCaller() caller: Caller | undefined,
    @Input() { body }: RouteInput<typeof eventRoutes.recordEvents>,
  ): Promise<{ accepted: number }> {
    await this.events.insert(sourceOf(headers, caller), body.events);
    return { accepted: body.events.length };
  }
}

function sourceOf(headers: FastifyRequest['headers'], caller: Caller | undefined): EventSource {
  const text = (name: string): string | null => {
    const value = headers[name];
    return typeof value === 'string' && value !== '' ? value.slice(0, MAX_HEADER_LENGTH) : null;
  };
  const isAnonymous = text(EVENT_HEADERS.anonymous) === 'true';
  return {
    isAnonymous,
    userId: isAnonymous ? null : (caller?.userId ?? null),
    clientId: isAnonymous ? null : text(EVENT_HEADERS.clientId),
    clientVersion: text(EVENT_HEADERS.clientVersion),
    isTester: text(EVENT_HEADERS.tester) === 'true',
  };
}

/** Longest texts in the log, in characters: clients can send anything. */
const MAX_DESCRIPTION = 500;
const MAX_INFO = 2_000;

/** The product's own monitoring: errors of clients go to the log, unless another host is configured. */
@Controller()
export class MonitoringController {
  private readonly logger = new Logger(MonitoringController.name);

  @Route(monitoringRoutes.recordMonitoringEvents)
  record(@Input() { params, body }: RouteInput<typeof monitoringRoutes.recordMonitoringEvents>): { accepted: number } {
    for (const event of body.payloads) this.logger.warn(logged(params.appId, event), 'client event');
    return { accepted: body.payloads.length };
  }
}

/** Without the user: logs name no persons. */
const logged = (
  appId: string,
  { id, severity, categories, description, errorCode, info, createdAt }: MonitoringEvent,
) => ({
  client: {
    ...{ appId, id, severity, categories, createdAt, errorCode: errorCode ?? null },
    description: description.slice(0, MAX_DESCRIPTION),
    info: JSON.stringify(info ?? {}).slice(0, MAX_INFO),
  },
});
