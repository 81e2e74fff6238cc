import { REDIS_PREFIX } from '@clearframe/contract';
import type { RedisClient } from '@clearframe/runtime/redis';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import type { RatePolicy } from '../config/limits.config.js';
import { AppError } from '../errors/app-error.js';

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
