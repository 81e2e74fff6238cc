import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.repository.js';
import { WebhookCallbacks } from './webhook-callbacks.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';
import { WebhookEndpointRow, WebhookEndpointsRepository } from './webhook-endpoints.repository.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';
import { WebhookMessageRow, WebhookMessagesRepository } from './webhook-messages.repository.js';
import { WebhookSecrets } from './webhook-secrets.js';

@Module({
  imports: [TypeOrmModule.forFeature([WebhookEndpointRow, WebhookMessageRow]), AuditModule],
  controllers: [WebhookEndpointsController],
  providers: [
    WebhookCallbacks,
    WebhookEndpointsRepository,
    WebhookEndpointsService,
    WebhookMessagesRepository,
    WebhookSecrets,
  ],
  exports: [WebhookCallbacks, WebhookEndpointsRepository, WebhookMessagesRepository, WebhookSecrets],
})
export class WebhookEndpointsModule {}
