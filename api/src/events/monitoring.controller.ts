import { type MonitoringEvent, monitoringRoutes, type RouteInput } from '@clearframe/contract';
import { Controller, Logger } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';

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
