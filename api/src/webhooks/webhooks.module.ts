import { ENVIRONMENT, type Environment } from '@clearframe/runtime/config';
import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { FastifyInstance } from 'fastify';
import { CardProvider } from '../billing/providers/port/payment-provider.js';
import { PaymentsConfig } from '../billing/providers/port/payments.config.js';
import { rawScope } from '../platform/http/raw-scope.js';
import { registerWebhooks, type WebhookSenders } from './webhook.routes.js';
import { WebhookEventRow } from './webhook-event.entity.js';
import { WebhookEventRepository } from './webhook-event.repository.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([WebhookEventRow])],
  providers: [
    WebhookEventRepository,
    WebhooksService,
    {
      provide: PaymentsConfig,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => PaymentsConfig.fromEnvironment(environment),
    },
  ],
  exports: [WebhooksService],
})
export class WebhooksModule implements OnModuleInit {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly webhooks: WebhooksService,
    private readonly config: PaymentsConfig,
    private readonly cards: CardProvider,
  ) {}

  async onModuleInit(): Promise<void> {
    const senders: WebhookSenders = new Map(this.config.provider === 'sandbox' ? [['sandbox', this.cards]] : []);
    await rawScope(this.adapter.httpAdapter.getInstance<FastifyInstance>(), (scope) =>
      registerWebhooks(scope, senders, this.webhooks),
    );
  }
}
