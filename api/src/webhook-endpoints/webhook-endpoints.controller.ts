import {
  type CreatedWebhookEndpoint,
  type RolledWebhookSecret,
  type RouteInput,
  type RouteResult,
  type WebhookEndpoint,
  webhookRoutes,
} from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { WebhookCallbacks } from './webhook-callbacks.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

@Controller()
export class WebhookEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly callbacks: WebhookCallbacks,
  ) {}

  @Route(webhookRoutes.listWebhookEndpoints)
  list(@CurrentCaller() caller: Caller): Promise<RouteResult<typeof webhookRoutes.listWebhookEndpoints>> {
    return this.endpoints.list(caller);
  }

  @Route(webhookRoutes.createWebhookEndpoint)
  create(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof webhookRoutes.createWebhookEndpoint>,
  ): Promise<CreatedWebhookEndpoint> {
    return this.endpoints.create(caller, body);
  }

  @Route(webhookRoutes.updateWebhookEndpoint)
  update(
    @CurrentCaller() caller: Caller,
    @Input() { params, body }: RouteInput<typeof webhookRoutes.updateWebhookEndpoint>,
  ): Promise<WebhookEndpoint> {
    return this.endpoints.update(caller, params.endpointId, body);
  }

  @Route(webhookRoutes.deleteWebhookEndpoint)
  delete(
    @CurrentCaller() caller: Caller,
    @Input() { params }: RouteInput<typeof webhookRoutes.deleteWebhookEndpoint>,
  ): Promise<void> {
    return this.endpoints.delete(caller, params.endpointId);
  }

  @Route(webhookRoutes.rollWebhookSecret)
  rollSecret(
    @CurrentCaller() caller: Caller,
    @Input() { params }: RouteInput<typeof webhookRoutes.rollWebhookSecret>,
  ): Promise<RolledWebhookSecret> {
    return this.endpoints.rollSecret(caller, params.endpointId);
  }

  @Route(webhookRoutes.rollCallbackSecret)
  rollCallbackSecret(@CurrentCaller() caller: Caller): Promise<RolledWebhookSecret> {
    return this.callbacks.rollSecret(caller);
  }
}
