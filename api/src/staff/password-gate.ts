import { setTimeout as delay } from 'node:timers/promises';
import { inMilliseconds, inSeconds, REDIS_PREFIX } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { verify } from '@node-rs/argon2';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../platform/errors/app-error.js';
import { RedisClient } from '../platform/redis/redis.module.js';
import { StaffConfig } from './staff.config.js';

/** Wrong passwords from one address in a minute (decisions, section 5). */
const FAILURES_PER_ADDRESS = 5;
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

  constructor(
    private readonly config: StaffConfig,
    redis: RedisClient,
  ) {
    const limiter = (name: string, points: number) => {
      const policy = { points, duration: inSeconds.minutes(1) };
      return new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `${REDIS_PREFIX}:staff:${name}`,
        insuranceLimiter: new RateLimiterMemory(policy),
        ...policy,
      });
    };
    this.byAddress = limiter('address', FAILURES_PER_ADDRESS);
    this.overall = limiter('overall', FAILURES_OVERALL);
  }

  /** @throws AppError `secret_menu.password_incorrect`, or `request.rate_limited` after too many failures */
  async pass(password: string, address: string): Promise<void> {
    const [own, all] = await Promise.all([this.byAddress.get(address), this.overall.get(EVERYBODY)]);
    if (own && own.consumedPoints >= FAILURES_PER_ADDRESS) throw tooMany(own);
    if (all && all.consumedPoints >= FAILURES_OVERALL) await delay(SLOW_MS);
    const { passwordHash } = this.config;
    if (passwordHash && password.length <= LONGEST && (await verify(passwordHash, password))) return;
    // Counted before it is answered: of many guesses at once, no more than these are ever judged wrong.
    await Promise.all([
      this.byAddress.consume(address).catch((refused: RateLimiterRes | Error) => {
        throw refused instanceof Error ? refused : tooMany(refused);
      }),
      this.overall.consume(EVERYBODY).catch(() => undefined),
    ]);
    throw new AppError('secret_menu.password_incorrect');
  }
}

const tooMany = ({ msBeforeNext }: RateLimiterRes): AppError =>
  new AppError('request.rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) });
