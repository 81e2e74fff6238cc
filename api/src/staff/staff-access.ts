import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { inMilliseconds, inSeconds, type RouteSpec, STAFF_PASSWORD_HEADER } from '@clearframe/contract';
import { KeyedMutex } from '@clearframe/runtime/concurrency';
import { RedisClient } from '@clearframe/runtime/redis';
import { Injectable } from '@nestjs/common';
import { verify } from '@node-rs/argon2';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { AuditRepository } from '../audit/audit.repository.js';
import { AppConfig } from '../platform/config/app.config.js';
import type { RatePolicy } from '../platform/config/limits.config.js';
import { AppError } from '../platform/errors/app-error.js';
import { addressOf, networkOf } from '../platform/http/address.js';
import {
  createRateLimiter,
  type RateLimitState,
  rateLimited,
  setRateLimitHeaders,
} from '../platform/http/rate-limiter.js';
import { StaffConfig } from './staff.config.js';

/** Wrong passwords (decisions, section 5). */
const FAILURES_PER_ADDRESS: RatePolicy = { points: 5, windowSeconds: inSeconds.minutes(1) };
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

@Injectable()
export class StaffAccess {
  constructor(
    private readonly gate: PasswordGate,
    private readonly audit: AuditRepository,
    private readonly app: AppConfig,
  ) {}

  async require({ path }: RouteSpec, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const password = request.headers[STAFF_PASSWORD_HEADER];
    const action = `staff${path.replaceAll('/', '.')}`;
    await this.requirePassword(action, typeof password === 'string' ? password : '', request, reply);
  }

  /** @throws AppError `secret_menu.password_incorrect`, `request.rate_limited` */
  async requirePassword(action: string, password: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const network = networkOf(addressOf(request, this.app.internalSecret));
    const record = (outcome: 'passed' | 'refused') =>
      this.audit.record({
        actor: request.caller ? `user:${request.caller.userId}` : `address:${network}`,
        action,
        details: { outcome, address: network, requestId: request.id },
      });
    try {
      await this.gate.check(password, network);
    } catch (refusal) {
      // Rate-limited attempts could fill the audit log.
      if (!(refusal instanceof AppError && refusal.code === 'request.rate_limited')) await record('refused');
      throw refusal;
    } finally {
      setRateLimitHeaders(reply, 'staff', FAILURES_PER_ADDRESS, await this.gate.limitOf(network));
    }
    await record('passed');
  }
}

/** Pages load many files and poll: their password is checked, counted and audited once in this time. */
const REMEMBERED_MS = inMilliseconds.minutes(15);
const MAX_REMEMBERED = 1_000;
const BASIC = /^Basic ([\w+/=-]+)$/i;

/** Staff pages of browsers, which ask for the staff password by HTTP's basic authentication, with any user name. */
@Injectable()
export class StaffBrowserAccess {
  private readonly key = randomBytes(32);
  private readonly remembered = new Map<string, number>();

  constructor(
    private readonly access: StaffAccess,
    private readonly app: AppConfig,
  ) {}

  /**
   * Has browsers ask for the password with status 401.
   * @throws AppError `secret_menu.password_incorrect` for a wrong one in the header; `request.rate_limited`
   */
  async require(action: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const header = request.headers[STAFF_PASSWORD_HEADER];
    const password = typeof header === 'string' ? header : passwordIn(request.headers.authorization);
    if (password === null) return challenge(reply);
    const digest = this.digestOf(request, password);
    if ((this.remembered.get(digest) ?? 0) > Date.now()) return;
    try {
      await this.access.requirePassword(action, password, request, reply);
    } catch (error) {
      const isWrong = error instanceof AppError && error.code === 'secret_menu.password_incorrect';
      if (!isWrong || typeof header === 'string') throw error;
      return challenge(reply);
    }
    if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
    this.remembered.set(digest, Date.now() + REMEMBERED_MS);
  }

  private digestOf(request: FastifyRequest, password: string): string {
    const network = networkOf(addressOf(request, this.app.internalSecret));
    return createHmac('sha256', this.key).update(`${network}\n${password}`).digest('base64');
  }
}

function passwordIn(authorization: string | undefined): string | null {
  const [, encoded] = BASIC.exec(authorization ?? '') ?? [];
  if (!encoded) return null;
  const credentials = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = credentials.indexOf(':');
  return colon === -1 ? null : credentials.slice(colon + 1);
}

function challenge(reply: FastifyReply): void {
  reply
    .status(401)
    .header('www-authenticate', 'Basic realm="Clearframe staff", charset="UTF-8"')
    .type('text/plain; charset=utf-8')
    .send('The staff password is required.');
}
