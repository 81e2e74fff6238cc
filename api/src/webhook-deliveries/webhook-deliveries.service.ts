import type { RouteInput, RouteResult, WebhookDelivery, webhookRoutes } from '@clearframe/contract';
import { WEBHOOK_TEST, type WebhookMessageType } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import type { Caller } from '../sessions/caller.js';
import { SessionService } from '../sessions/session.service.js';
import { WebhookEndpointsRepository } from '../webhook-endpoints/webhook-endpoints.repository.js';
import { requireWebhooks } from '../webhook-endpoints/webhook-endpoints.service.js';
import { WebhookMessagesRepository } from '../webhook-endpoints/webhook-messages.repository.js';
import { type ListedDelivery, WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';

@Injectable()
export class WebhookDeliveriesService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly messages: WebhookMessagesRepository,
    private readonly sessions: SessionService,
  ) {}

  /** @throws AppError `webhook_endpoints.not_found`, `webhook_deliveries.not_found` for an unknown `startingAfter` */
  async list(
    { userId }: Caller,
    { limit, startingAfter, ...filter }: RouteInput<typeof webhookRoutes.listWebhookDeliveries>['query'],
  ): Promise<RouteResult<typeof webhookRoutes.listWebhookDeliveries>> {
    if (filter.endpointId && !(await this.endpoints.findOwn(userId, filter.endpointId))) {
      throw new AppError('webhook_endpoints.not_found');
    }
    if (startingAfter) await this.require(userId, startingAfter);
    const rows = await this.deliveries.list(userId, filter, startingAfter, limit + 1);
    return { data: rows.slice(0, limit).map(present), hasMore: rows.length > limit };
  }

  /** @throws AppError `webhook_deliveries.not_found`, `webhook_endpoints.disabled` */
  async sendAgain(caller: Caller, id: string): Promise<WebhookDelivery> {
    const { endpointId } = await this.require(caller.userId, id);
    await this.requireEnabled(endpointId);
    await this.database.transaction(async (manager) => {
      await this.sessions.hold(manager, caller);
      if (!(await this.deliveries.sendAgain(manager, id))) {
        throw new AppError('webhook_deliveries.not_found');
      }
    });
    return present(await this.require(caller.userId, id));
  }

  /** @throws AppError `webhook_endpoints.not_in_plan`, `webhook_endpoints.not_found`, `webhook_endpoints.disabled` */
  async test(caller: Caller, endpointId: string): Promise<WebhookDelivery> {
    requireWebhooks(caller);
    const { userId } = caller;
    if (!(await this.endpoints.findOwn(userId, endpointId))) throw new AppError('webhook_endpoints.not_found');
    await this.requireEnabled(endpointId);
    const messageId = await this.database.transaction(async (manager) => {
      await this.sessions.hold(manager, caller);
      return this.messages.record(manager, { userId, type: WEBHOOK_TEST, subjectId: endpointId });
    });
    if (!messageId) throw new Error('a message without a key was recorded before');
    await this.messages.expand(messageId);
    const delivery = await this.deliveries.findOfMessage(userId, messageId);
    if (!delivery) throw new AppError('webhook_endpoints.not_found');
    return present(delivery);
  }

  private async require(userId: string, id: string): Promise<ListedDelivery> {
    const delivery = await this.deliveries.find(userId, id);
    if (!delivery) throw new AppError('webhook_deliveries.not_found');
    return delivery;
  }

  private async requireEnabled(endpointId: string): Promise<void> {
    if ((await this.endpoints.find(endpointId))?.disabledReason) throw new AppError('webhook_endpoints.disabled');
  }
}

const present = (row: ListedDelivery): WebhookDelivery => ({
  id: row.id,
  messageId: row.messageId,
  endpointId: row.isCallback ? null : row.endpointId,
  url: row.url,
  type: row.type as WebhookMessageType,
  status: row.status,
  skipReason: row.skipReason,
  request: row.request,
  attempts: row.attempts,
  nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
});
