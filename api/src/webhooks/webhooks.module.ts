import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { FastifyInstance } from 'fastify';
import { rawScope } from '../platform/http/json-body.js';
import { CardProvider } from '../providers/card-provider.js';
import type { PaymentProvider } from '../providers/payment-provider.js';
import { PAYMENTS_CONFIG, PaymentsConfig } from '../providers/payments.config.js';
import { WalletProvider } from '../providers/wallet-provider.js';
import { registerWebhooks } from './webhook.routes.js';
import { WebhookEventRow } from './webhook-event.entity.js';
import { WebhookEventRepository } from './webhook-event.repository.js';
import { WebhookLimit } from './webhook-limit.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([WebhookEventRow])],
  providers: [WebhookEventRepository, WebhookLimit, WebhooksService, PAYMENTS_CONFIG],
  exports: [WebhooksService],
})
export class WebhooksModule implements OnModuleInit {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly webhooks: WebhooksService,
    private readonly limit: WebhookLimit,
    private readonly config: PaymentsConfig,
    private readonly cards: CardProvider,
    private readonly wallet: WalletProvider,
  ) {}

  async onModuleInit(): Promise<void> {
    const providers: PaymentProvider[] = this.config.provider === 'none' ? [] : [this.cards];
    if (this.config.hasWallet) providers.push(this.wallet);
    const senders = providers.map((provider) => [provider.name, provider] as const);
    await rawScope(this.adapter.httpAdapter.getInstance<FastifyInstance>(), (scope) =>
      registerWebhooks(scope, { senders: new Map(senders), limit: this.limit, webhooks: this.webhooks }),
    );
  }
}
