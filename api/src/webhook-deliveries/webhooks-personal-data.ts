import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ExportedData, HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';
import { WebhookEndpointsRepository } from '../webhook-endpoints/webhook-endpoints.repository.js';
import { WebhookMessagesRepository } from '../webhook-endpoints/webhook-messages.repository.js';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';

type Part = 'webhookEndpoints' | 'webhookDeliveries';

@Injectable()
@HoldsPersonalData(['webhookEndpoints', 'webhookDeliveries'])
export class WebhooksPersonalData implements PersonalData<Part> {
  constructor(
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly messages: WebhookMessagesRepository,
    private readonly deliveries: WebhookDeliveriesRepository,
  ) {}

  async export(userId: string): Promise<Pick<ExportedData, Part>> {
    const [endpoints, deliveries] = await Promise.all([
      this.endpoints.list(userId),
      this.deliveries.listOfUser(userId),
    ]);
    return {
      webhookEndpoints: endpoints.map(({ url, events, disabledReason, createdAt }) => ({
        url,
        events,
        isEnabled: disabledReason === null,
        createdAt: createdAt.toISOString(),
      })),
      webhookDeliveries: deliveries.map(({ url, type, status, created_at }) => ({
        url,
        type,
        status,
        createdAt: created_at.toISOString(),
      })),
    };
  }

  /** Endpoints first: nothing is sent of what the erasure does to tasks. */
  erase(userId: string): Promise<void> {
    return this.endpoints.deleteOfUser(userId);
  }

  async eraseWithAccount(manager: EntityManager, userId: string): Promise<void> {
    await this.endpoints.deleteOfUser(userId, manager);
    await this.messages.deleteOfUser(manager, userId);
  }
}
