import { setTimeout as delay } from 'node:timers/promises';
import { inMilliseconds, inSeconds, REDIS_PREFIX } from '@clearframe/contract';
import { KeyedMutex } from '@clearframe/runtime/concurrency';
import { RedisClient } from '@clearframe/runtime/redis';
import { Injectable } from '@nestjs/common';
import { verify } from '@node-rs/argon2';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import type { RatePolicy } from '../platform/config/limits.config.js';
import { AppError } from '../platform/errors/app-error.js';
import type { RateStanding } from '../platform/http/rate-limits/rate-limit-headers.js';
import { StaffConfig } from './staff.config.js';

/** Wrong passwords from one address (decisions, section 5). */
export const FAILURES_PER_ADDRESS: RatePolicy = { points: 5, windowSeconds: inSeconds.minutes(1) };
/** Wrong passwords from everywhere in a minute, after which answers take their time. Nobody is locked out by others. */
const FAILURES_OVERALL = 60;
const SLOW_MS = inMilliseconds.seconds(2);
const EVERYBODY = 'all';
/** Longer than any password; hashing a megabyte for a stranger would be work for nothing. */
const LONGEST = 200;

/** Lets the staff password through and makes guessing it hopeless. Only failures count. */
@Injectable()
export class PasswordGate {
  private readonly byAddress: RateLimiterRedis;
  private readonly overall: RateLimiterRedis;
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly config: StaffConfig,
    redis: RedisClient,
  ) {
    const limiter = (name: string, points: number) => {
      const policy = { points, duration: FAILURES_PER_ADDRESS.windowSeconds };
      return new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `${REDIS_PREFIX}:staff:${name}`,
        insuranceLimiter: new RateLimiterMemory(policy),
        ...policy,
      });
    };
    this.byAddress = limiter('address', FAILURES_PER_ADDRESS.points);
    this.overall = limiter('overall', FAILURES_OVERALL);
  }

  /** @throws AppError `secret_menu.password_incorrect`, or `request.rate_limited` after too many failures */
  pass(password: string, address: string): Promise<void> {
    return this.mutex.runExclusive(address, () => this.judge(password, address));
  }

  /**
   * A guess is counted before it is looked at, and taken back when it was right: of a thousand at once, no more are ever
   * looked at than may be wrong. Otherwise the right one among them would pass.
   */
  private async judge(password: string, address: string): Promise<void> {
    await this.byAddress.consume(address).catch((refused: RateLimiterRes | Error) => {
      throw refused instanceof Error ? refused : tooMany(refused);
    });
    const all = await this.overall.get(EVERYBODY);
    if (all && all.consumedPoints >= FAILURES_OVERALL) await delay(SLOW_MS);
    const { passwordHash } = this.config;
    if (passwordHash && password.length <= LONGEST && (await verify(passwordHash, password))) {
      await this.byAddress.reward(address);
      return;
    }
    await this.overall.consume(EVERYBODY).catch(() => undefined);
    throw new AppError('secret_menu.password_incorrect');
  }

  /** How often an address may still be wrong. */
  async standingOf(address: string): Promise<RateStanding> {
    const { points: remainingPoints, windowSeconds } = FAILURES_PER_ADDRESS;
    return (
      (await this.byAddress.get(address)) ?? { remainingPoints, msBeforeNext: inMilliseconds.seconds(windowSeconds) }
    );
  }
}

const tooMany = ({ msBeforeNext }: RateLimiterRes): AppError =>
  new AppError('request.rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) });
