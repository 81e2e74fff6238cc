import { RedisClient } from '@clearframe/runtime/redis';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { AppConfig } from '../platform/config/app.config.js';
import { LimitsConfig } from '../platform/config/limits.config.js';
import { addressOf, networkOf } from '../platform/http/address.js';
import { createRateLimiter, rateLimited } from '../platform/http/rate-limiter.js';

/**
 * Events that a network may post. Counted before their signature is verified, for which PayPal is called. Providers send
 * an event again that is answered 429.
 */
@Injectable()
export class WebhookLimit {
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
