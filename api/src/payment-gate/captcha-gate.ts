import { CAPTCHA_HEADER, type CaptchaRule, inMilliseconds, inSeconds } from '@clearframe/contract';
import { RedisClient } from '@clearframe/runtime/redis';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Observable } from 'rxjs';
import { CheckoutRepository } from '../payments/checkout.repository.js';
import { AppConfig } from '../platform/config/app.config.js';
import { AppError } from '../platform/errors/app-error.js';
import { addressOf, networkOf } from '../platform/http/address.js';
import { createRateLimiter } from '../platform/http/rate-limiter.js';
import { routeOf } from '../platform/http/route.decorator.js';
import { BillingClock } from '../providers/billing-clock.js';
import type { Caller } from '../sessions/caller.js';
import { Captcha } from './captcha.js';

/** Forms that a network may send without a captcha token, of all routes together. */
export const UNVERIFIED_FORMS_PER_HOUR = 5;

/** Counts forms without a token in Redis, or in memory during an outage. */
@Injectable()
export class UnverifiedForms {
  private readonly limiter: RateLimiterRedis;

  constructor(redis: RedisClient) {
    const policy = { points: UNVERIFIED_FORMS_PER_HOUR, windowSeconds: inSeconds.hours(1) };
    this.limiter = createRateLimiter(redis, 'unverified-forms', policy);
  }

  /** @returns false when the network's forms of this hour are used up */
  async consume(network: string): Promise<boolean> {
    try {
      await this.limiter.consume(network);
      return true;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return false;
      throw refusal;
    }
  }
}

/** The longest of a provider's pages: a checkout session of Stripe, by default. */
const PAYMENT_PAGE_LIFETIME_MS = inMilliseconds.hours(24);

type CallerRequest = FastifyRequest & { readonly caller?: Caller };

/**
 * Verifies captcha tokens. Runs before the body is validated, so that bots learn nothing from later errors, and after
 * the idempotency keys, so that a repeated request needs no second token.
 */
@Injectable()
export class CaptchaGate implements NestInterceptor {
  constructor(
    private readonly captcha: Captcha,
    private readonly unverified: UnverifiedForms,
    private readonly checkouts: CheckoutRepository,
    private readonly clock: BillingClock,
    private readonly app: AppConfig,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const route = routeOf(context);
    if (!route?.captcha) return next.handle();
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const address = addressOf(request, this.app.internalSecret);
    const given = request.headers[CAPTCHA_HEADER];
    const token = typeof given === 'string' && given !== '' ? given : null;
    const { valid, reasons } = await this.captcha.verify({ token, action: route.path, address });
    if (valid || (token === null && (await this.isExempt(route.captcha, request, address)))) return next.handle();
    throw new AppError('captcha.failed', { details: { reasons } });
  }

  /** Without JavaScript there is no token; nor is there one on the return from a payment page. */
  private async isExempt(rule: CaptchaRule, { caller, body }: CallerRequest, address: string): Promise<boolean> {
    switch (rule) {
      case 'token':
        return false;
      case 'return':
        return caller !== undefined && this.hasRecentCheckout(caller);
      case 'page':
        return leadsToPage(body) && this.unverified.consume(networkOf(address));
      case 'form':
        return this.unverified.consume(networkOf(address));
    }
  }

  /** Whether the user has begun a payment that may still return from its page. */
  private hasRecentCheckout({ userId }: Caller): Promise<boolean> {
    const start = new Date(this.clock.now().getTime() - PAYMENT_PAGE_LIFETIME_MS);
    return this.checkouts.existsSince(userId, start);
  }
}

/** The provider's own page protects itself from bots. */
const leadsToPage = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'return_path' in body && typeof body.return_path === 'string';
