import { REDIS_PREFIX } from '@clearframe/contract';
import type { RedisClient } from '@clearframe/runtime/redis';
import type { FastifyReply } from 'fastify';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import type { RatePolicy } from '../config/limits.config.js';
import { AppError } from '../errors/app-error.js';

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
