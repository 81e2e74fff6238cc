import { RedisClient } from '@clearframe/runtime/redis';
import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { AppConfig } from '../platform/config/app.config.js';
import { LimitsConfig } from '../platform/config/limits.config.js';
import { AppError } from '../platform/errors/app-error.js';
import { addressOf, networkOf } from '../platform/http/address.js';
import { rawScope } from '../platform/http/json-body.js';
import { createRateLimiter, rateLimited } from '../platform/http/rate-limiter.js';
import { CardProvider, type PaymentProvider, WalletProvider } from '../providers/payment-provider.js';
import { PAYMENTS_CONFIG, PaymentsConfig } from '../providers/payments.config.js';
import { ReconciliationModule } from '../reconciliation/reconciliation.module.js';
import { WebhookEventRepository, WebhookEventRow } from './webhook-event.repository.js';
import { WebhooksService } from './webhooks.service.js';

/**
 * Events that a network may post. Counted before their signature is verified, for which PayPal is called. Providers send
 * an event again that is answered 429.
 */
@Injectable()
class WebhookLimit {
  private readonly limiter: RateLimiterRedis;

  constructor(
    redis: RedisClient,
    limits: LimitsConfig,
    private readonly app: AppConfig,
  ) {
    this.limiter = createRateLimiter(redis, 'rate:webhooks', limits.webhooks);
  }

  /** @throws AppError `request.rate_limited` */
  async count(request: FastifyRequest): Promise<void> {
    await this.limiter.consume(networkOf(addressOf(request, this.app.internalSecret))).catch((refusal: unknown) => {
      throw refusal instanceof RateLimiterRes ? rateLimited(refusal) : refusal;
    });
  }
}

type WebhookSenders = ReadonlyMap<string, Pick<PaymentProvider, 'readEvent'>>;

/** More than any event needs. */
const MAX_BYTES = 262_144;

/** Unparsed: the signature covers the exact bytes. */
async function rawBodyOf(request: FastifyRequest): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Otherwise leaving the loop closes the connection before the error is sent.
  for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new AppError('request.too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

interface WebhookHandling {
  readonly senders: WebhookSenders;
  readonly limit: Pick<WebhookLimit, 'count'>;
  readonly webhooks: WebhooksService;
}

function registerWebhooks(fastify: FastifyInstance, { senders, limit, webhooks }: WebhookHandling): void {
  fastify.post<{ Params: { sender: string } }>('/api/webhooks/:sender', async (request, reply) => {
    const { sender } = request.params;
    const provider = senders.get(sender);
    if (!provider) throw new AppError('request.not_found');
    await limit.count(request);
    const event = await provider.readEvent(await rawBodyOf(request), request.headers);
    if (!event) throw new AppError('webhooks.signature_invalid');
    const isNew = await webhooks.receive(sender, event);
    if (isNew) webhooks.processInBackground(sender, event.id);
    return reply.status(200).header('cache-control', 'no-store').send({ received: true });
  });
}

@Module({
  imports: [ReconciliationModule, TypeOrmModule.forFeature([WebhookEventRow])],
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
