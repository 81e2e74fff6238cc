import { inSeconds } from '@clearframe/contract';
import { RedisClient } from '@clearframe/runtime/redis';
import { Injectable } from '@nestjs/common';
import { type RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { createRateLimiter } from '../platform/http/rate-limiter.js';

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
