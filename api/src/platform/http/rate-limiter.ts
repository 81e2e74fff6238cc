import {
  inSeconds,
  KEY_LIMITS_MAX,
  type RateLimit,
  REDIS_PREFIX,
  type RouteSpec,
  requiresCaller,
} from '@clearframe/contract';
import { RedisClient } from '@clearframe/runtime/redis';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { catchError, from, mergeMap, type Observable, throwError } from 'rxjs';
import { AppConfig } from '../config/app.config.js';
import { LimitsConfig, type RatePolicy } from '../config/limits.config.js';
import { AppError } from '../errors/app-error.js';
import { addressOf, networkOf } from './address.js';
import { routeOf } from './route.decorator.js';

export interface RateLimitState {
  readonly remainingPoints: number;
  readonly msBeforeNext: number;
}

export function setRateLimitHeaders(
  reply: FastifyReply,
  name: string,
  policy: RatePolicy,
  state: RateLimitState,
): void {
  const reset = Math.ceil(state.msBeforeNext / 1000);
  const remaining = Math.max(0, state.remainingPoints);
  reply
    .header('ratelimit-policy', `"${name}";q=${policy.points};w=${policy.windowSeconds}`)
    .header('ratelimit', `"${name}";r=${remaining};t=${reset}`)
    .header('x-ratelimit-limit', String(policy.points))
    .header('x-ratelimit-remaining', String(remaining))
    .header('x-ratelimit-reset', String(reset));
}

/** Counts in Redis, or in memory during an outage. */
export function createRateLimiter(
  redis: RedisClient,
  name: string,
  { points, windowSeconds: duration }: RatePolicy,
): RateLimiterRedis {
  return new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `${REDIS_PREFIX}:${name}`,
    points,
    duration,
    insuranceLimiter: new RateLimiterMemory({ points, duration }),
  });
}

export const rateLimited = ({ msBeforeNext }: RateLimiterRes): AppError =>
  new AppError('request.rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) });

/** Creating guests must not raise these limits: of guesses of codes, of free work, and of what support reads. */
const BY_BOTH: readonly (RateLimit | undefined)[] = ['logins', 'analyses', 'support'];

/** Requests that are refused don't count towards these, but towards `writes`. */
const OF_ACCEPTED: readonly RateLimit[] = ['support'];

/** Of the limit that an owner sets for a key. */
const KEY_WINDOW_SECONDS = inSeconds.minutes(1);

interface CountedCaller {
  readonly userId: string;
  readonly principal:
    | { readonly kind: 'session' }
    | { readonly kind: 'key'; readonly keyId: string; readonly perMinute: number | null };
}

type CountedRequest = FastifyRequest & { caller?: CountedCaller };

/**
 * Counts requests in Redis, or in memory during an outage: per caller on routes that require one, else per network;
 * {@link BY_BOTH} by both. Not a guard: guards run before the access guard sets the caller.
 */
@Injectable()
export class RateLimitInterceptor implements NestInterceptor {
  private readonly limiters: Readonly<Record<RateLimit, RateLimiterRedis>>;
  private readonly ofKeys: RateLimiterRedis;

  constructor(
    redis: RedisClient,
    private readonly limits: LimitsConfig,
    private readonly app: AppConfig,
  ) {
    this.ofKeys = createRateLimiter(redis, 'rate:key', {
      points: KEY_LIMITS_MAX.perMinute,
      windowSeconds: KEY_WINDOW_SECONDS,
    });
    const limiter = (name: RateLimit) => createRateLimiter(redis, `rate:${name}`, limits.rates[name]);
    this.limiters = {
      guests: limiter('guests'),
      logins: limiter('logins'),
      writes: limiter('writes'),
      analyses: limiter('analyses'),
      reads: limiter('reads'),
      tiles: limiter('tiles'),
      events: limiter('events'),
      support: limiter('support'),
    };
  }

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const route = routeOf(context);
    const name = route?.limit;
    if (!name) return next.handle();
    const http = context.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    const request = http.getRequest<CountedRequest>();
    const keys = this.keysOf(route, request);
    if (!OF_ACCEPTED.includes(name)) {
      await this.consume(name, keys, reply);
      await this.consumeOfKey(request, reply);
      return next.handle();
    }
    await this.consume('writes', keys, reply);
    const refund = () => this.refund(name, keys, reply);
    await this.consume(name, keys, reply).catch((refusal: unknown) => refund().then(() => Promise.reject(refusal)));
    return next
      .handle()
      .pipe(catchError((error: unknown) => from(refund()).pipe(mergeMap(() => throwError(() => error)))));
  }

  /** @throws AppError `request.rate_limited` */
  private async consume(name: RateLimit, keys: readonly string[], reply: FastifyReply): Promise<void> {
    const policy = this.limits.rates[name];
    const result = worstOf(await Promise.all(keys.map((key) => this.count(name, key))));
    setRateLimitHeaders(reply, name, policy, result);
    if (result.consumedPoints > policy.points) {
      throw rateLimited(result);
    }
  }

  /**
   * What the owner of a key allows it, which the headers then describe.
   * @throws AppError `request.rate_limited`
   */
  private async consumeOfKey({ caller }: CountedRequest, reply: FastifyReply): Promise<void> {
    if (caller?.principal.kind !== 'key' || caller.principal.perMinute === null) return;
    const { keyId, perMinute: points } = caller.principal;
    const result = await resultOf(this.ofKeys.consume(keyId));
    const { consumedPoints, msBeforeNext } = result;
    const policy = { points, windowSeconds: KEY_WINDOW_SECONDS };
    setRateLimitHeaders(reply, 'key', policy, { remainingPoints: points - consumedPoints, msBeforeNext });
    if (consumedPoints > points) throw rateLimited(result);
  }

  private async refund(name: RateLimit, keys: readonly string[], reply: FastifyReply): Promise<void> {
    const results = await Promise.all(keys.map((key) => this.limiters[name].reward(key)));
    setRateLimitHeaders(reply, name, this.limits.rates[name], worstOf(results));
  }

  private keysOf(route: RouteSpec, request: CountedRequest): string[] {
    const caller = request.caller?.userId;
    const network = networkOf(addressOf(request, this.app.internalSecret));
    if (caller && BY_BOTH.includes(route.limit)) return [network, caller];
    return [caller && requiresCaller(route) ? caller : network];
  }

  private count(name: RateLimit, key: string): Promise<RateLimiterRes> {
    return resultOf(this.limiters[name].consume(key));
  }
}

/** Of a request beyond the limit, too. */
const resultOf = (consumed: Promise<RateLimiterRes>): Promise<RateLimiterRes> =>
  consumed.catch((refusal: unknown) => {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  });

const worstOf = (results: readonly RateLimiterRes[]): RateLimiterRes =>
  results.reduce((worst, one) => (one.consumedPoints > worst.consumedPoints ? one : worst));
