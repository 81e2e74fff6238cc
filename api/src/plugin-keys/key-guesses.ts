import { inSeconds } from '@clearframe/contract';
import { RedisClient } from '@clearframe/runtime/redis';
import { Injectable } from '@nestjs/common';
import { type RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { createRateLimiter, rateLimited } from '../platform/http/rate-limiter.js';

/** Wrong keys of a network, and wrong devices of a key in a network. */
export const WRONG_KEYS_PER_MINUTE = 30;

/** Counts wrong credentials in Redis, or in memory during an outage. */
@Injectable()
export class KeyGuesses {
  private readonly limiter: RateLimiterRedis;

  constructor(redis: RedisClient) {
    const policy = { points: WRONG_KEYS_PER_MINUTE, windowSeconds: inSeconds.minutes(1) };
    this.limiter = createRateLimiter(redis, 'wrong-keys', policy);
  }

  /** @throws AppError `request.rate_limited` above the limit */
  async count(subject: string): Promise<void> {
    await this.limiter.consume(subject).catch(rethrow);
  }

  /** @throws AppError `request.rate_limited` when the limit is used up */
  async check(subject: string): Promise<void> {
    const counted = await this.limiter.get(subject);
    if (counted && counted.consumedPoints >= WRONG_KEYS_PER_MINUTE) throw rateLimited(counted);
  }
}

function rethrow(refusal: unknown): never {
  throw refusal instanceof RateLimiterRes ? rateLimited(refusal) : refusal;
}
