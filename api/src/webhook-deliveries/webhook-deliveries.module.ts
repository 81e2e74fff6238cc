import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TasksModule } from '../tasks/tasks.module.js';
import { UsersModule } from '../users/users.module.js';
import { VideosModule } from '../videos/videos.module.js';
import { WebhookEndpointsModule } from '../webhook-endpoints/webhook-endpoints.module.js';
import { EndpointDisabler } from './endpoint-disabler.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookDeliveriesRepository, WebhookDeliveryRow } from './webhook-deliveries.repository.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhookDispatcher } from './webhook-dispatcher.js';
import { WebhookPayloads } from './webhook-payloads.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhooksPersonalData } from './webhooks-personal-data.js';

@Module({
  imports: [
    TasksModule,
    TypeOrmModule.forFeature([WebhookDeliveryRow]),
    UsersModule,
    VideosModule,
    WebhookEndpointsModule,
  ],
  controllers: [WebhookDeliveriesController],
  providers: [
    EndpointDisabler,
    WebhookDeliveriesRepository,
    WebhookDeliveriesService,
    WebhookDispatcher,
    WebhookPayloads,
    WebhookSender,
    WebhooksPersonalData,
  ],
})
export class WebhookDeliveriesModule {}
