import { type RouteInput, type RouteResult, type WebhookDelivery, webhookRoutes } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';

@Controller()
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  @Route(webhookRoutes.listWebhookDeliveries)
  list(
    @CurrentCaller() caller: Caller,
    @Input() { query }: RouteInput<typeof webhookRoutes.listWebhookDeliveries>,
  ): Promise<RouteResult<typeof webhookRoutes.listWebhookDeliveries>> {
    return this.deliveries.list(caller, query);
  }

  @Route(webhookRoutes.resendWebhookDelivery)
  resend(
    @CurrentCaller() caller: Caller,
    @Input() { params }: RouteInput<typeof webhookRoutes.resendWebhookDelivery>,
  ): Promise<WebhookDelivery> {
    return this.deliveries.sendAgain(caller, params.deliveryId);
  }

  @Route(webhookRoutes.testWebhookEndpoint)
  test(
    @CurrentCaller() caller: Caller,
    @Input() { params }: RouteInput<typeof webhookRoutes.testWebhookEndpoint>,
  ): Promise<WebhookDelivery> {
    return this.deliveries.test(caller, params.endpointId);
  }
}
