import { setTimeout as delay } from 'node:timers/promises';
import { inMilliseconds, inSeconds } from '@clearframe/contract';
import { KeyedMutex } from '@clearframe/runtime/concurrency';
import { RedisClient } from '@clearframe/runtime/redis';
import { Injectable } from '@nestjs/common';
import { verify } from '@node-rs/argon2';
import type { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RatePolicy } from '../platform/config/limits.config.js';
import { AppError } from '../platform/errors/app-error.js';
import type { RateLimitState } from '../platform/http/rate-limit-headers.js';
import { createRateLimiter, rateLimited } from '../platform/http/rate-limiter.js';
import { StaffConfig } from './staff.config.js';

/** Wrong passwords (decisions, section 5). */
export const FAILURES_PER_ADDRESS: RatePolicy = { points: 5, windowSeconds: inSeconds.minutes(1) };
/** Wrong passwords of all addresses in a minute, above which checks are delayed but not rejected. */
const FAILURES_OVERALL = 60;
const FAILURE_DELAY_MS = inMilliseconds.seconds(2);
const ALL_ADDRESSES = 'all';
const MAX_LENGTH = 200;

@Injectable()
export class PasswordGate {
  private readonly byAddress: RateLimiterRedis;
  private readonly overall: RateLimiterRedis;
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly config: StaffConfig,
    redis: RedisClient,
  ) {
    this.byAddress = createRateLimiter(redis, 'staff:address', FAILURES_PER_ADDRESS);
    this.overall = createRateLimiter(redis, 'staff:overall', { ...FAILURES_PER_ADDRESS, points: FAILURES_OVERALL });
  }

  check(password: string, address: string): Promise<void> {
    return this.mutex.runExclusive(address, () => this.checkLimited(password, address));
  }

  /**
   * Counts an attempt before the check and refunds it on success, so that concurrent attempts can't exceed the limit.
   */
  private async checkLimited(password: string, address: string): Promise<void> {
    await this.byAddress.consume(address).catch((refused: RateLimiterRes | Error) => {
      throw refused instanceof Error ? refused : rateLimited(refused);
    });
    const all = await this.overall.get(ALL_ADDRESSES);
    if (all && all.consumedPoints >= FAILURES_OVERALL) await delay(FAILURE_DELAY_MS);
    const { passwordHash } = this.config;
    if (passwordHash && password.length <= MAX_LENGTH && (await verify(passwordHash, password))) {
      await this.byAddress.reward(address);
      return;
    }
    await this.overall.consume(ALL_ADDRESSES).catch(() => undefined);
    throw new AppError('secret_menu.password_incorrect');
  }

  async limitOf(address: string): Promise<RateLimitState> {
    const { points: remainingPoints, windowSeconds } = FAILURES_PER_ADDRESS;
    return (
      (await this.byAddress.get(address)) ?? { remainingPoints, msBeforeNext: inMilliseconds.seconds(windowSeconds) }
    );
  }
}
