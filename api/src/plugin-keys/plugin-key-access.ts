import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import {
  type AccessRequirement,
  API_KEY_HEADER,
  DEVICE_ID_HEADER,
  ERRORS,
  type ErrorCode,
  inSeconds,
  type KeyKind,
  may,
  type RequiredScope,
} from '@clearframe/contract';
import { RedisClient } from '@clearframe/runtime/redis';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { AppConfig } from '../platform/config/app.config.js';
import { sha256 } from '../platform/config/seal.js';
import { AppError } from '../platform/errors/app-error.js';
import { addressOf, networkOf, plainAddress } from '../platform/http/address.js';
import { createRateLimiter, rateLimited } from '../platform/http/rate-limiter.js';
import type { Caller } from '../sessions/caller.js';
import { CallerService } from '../sessions/caller.service.js';
import { type CallingKey, type KeyWithOwner, PluginKeysRepository } from './plugin-keys.repository.js';

/** Wrong keys of a network, and wrong devices of a key in a network. */
export const WRONG_KEYS_PER_MINUTE = 30;

/** 256 bits. */
const SECRET_BYTES = 32;
/** Lets scanners of published code recognize a leaked key, and people a test key. */
const markOf = (kind: KeyKind): string => `cfk_${kind}_`;
/** Characters after the mark that may be shown: too few to help guessing the rest. */
const SHOWN_LENGTH = 8;
/** Keys of earlier versions have no kind. */
const KEY = /^cfk_(?:live_|test_)?[\w-]{43}$/;

export function newKey(kind: KeyKind): { readonly key: string; readonly prefix: string } {
  const key = markOf(kind) + randomBytes(SECRET_BYTES).toString('base64url');
  return { key, prefix: key.slice(0, markOf(kind).length + SHOWN_LENGTH) };
}

const isKeyShaped = (key: string): boolean => KEY.test(key);

/** Keys are looked up by hash: no secret is compared, so that response times reveal nothing about keys. */
export const hashOf = (key: string): Buffer => sha256(key);

/** How exact `lastUsedAt` is: one write a minute for each key. */
const USE_RECORDED_SECONDS = inSeconds.minutes(1);

const BEARER_KEY = /^Bearer (cfk_.*)$/i;

function keysIn({ headers }: FastifyRequest): string[] {
  const [, bearer] = BEARER_KEY.exec(headers.authorization ?? '') ?? [];
  return [headers[API_KEY_HEADER] ?? [], bearer ?? []].flat();
}

export const hasKey = (request: FastifyRequest): boolean => keysIn(request).length > 0;

/** Checks the key of a request. */
@Injectable()
export class PluginKeyAccess {
  private readonly wrongKeys: RateLimiterRedis;

  constructor(
    private readonly repository: PluginKeysRepository,
    private readonly callers: CallerService,
    private readonly app: AppConfig,
    redis: RedisClient,
  ) {
    const policy = { points: WRONG_KEYS_PER_MINUTE, windowSeconds: inSeconds.minutes(1) };
    this.wrongKeys = createRateLimiter(redis, 'wrong-keys', policy);
  }

  /**
   * The owner of the key, with the rights of their current plan.
   * @throws AppError `users.not_authorized` without a valid key; `plugin_keys.expired`; `plugin_keys.not_permitted`;
   *   `plugin_keys.scope_missing`; `plugin_keys.live_required`; `plugin_keys.device_mismatch`; `plugin_keys.not_in_plan`;
   *   `request.rate_limited` after too many wrong ones
   */
  async require(request: FastifyRequest, { keyScope, anyDevice }: AccessRequirement): Promise<Caller> {
    const address = addressOf(request, this.app.internalSecret);
    const network = networkOf(address);
    const { key, owner } = await this.keyOf(request, network);
    const { id: keyId, kind, scopes, perMinute } = key;
    if (key.expiresAt && key.expiresAt <= new Date()) throw this.refusal('plugin_keys.expired');
    this.requireScope(key, keyScope);
    if (!anyDevice) await this.requireDevice(key, request, network);
    const caller = this.callers.ofKey(owner, kind, { kind: 'key', keyId, scopes, perMinute });
    if (kind === 'live' && !may(caller, 'plugin_key')) throw this.refusal('plugin_keys.not_in_plan');
    await this.recordUse(key, plainAddress(address));
    return caller;
  }

  /** An error that tells how a key is sent, and where this is explained. */
  refusal(code: ErrorCode, problem = `${ERRORS[code].title}.`, details?: Record<string, unknown>): AppError {
    const guide = `${this.app.publicUrl}/developers`;
    const description = `${problem} Keys are sent as X-Api-Key; the guide is at ${guide}`;
    return new AppError(code, { description, ...(details && { details }) });
  }

  private requireScope({ kind, scopes }: CallingKey, scope: RequiredScope | null): void {
    if (scope === null) throw this.refusal('plugin_keys.not_permitted');
    if (scope === 'any' || scopes.includes(scope)) return;
    if (scope === 'videos' && kind === 'test') throw this.refusal('plugin_keys.live_required');
    throw this.refusal('plugin_keys.scope_missing', `This key lacks the scope ${scope}.`, { scope });
  }

  /** Of two different keys both must be valid; that of the key header counts. */
  private async keyOf(request: FastifyRequest, network: string): Promise<KeyWithOwner> {
    const rows = await Promise.all(
      keysIn(request).map((key) => (isKeyShaped(key) ? this.repository.findByHash(hashOf(key)) : null)),
    );
    const [row] = rows;
    if (row && rows.every((found) => found !== null)) return row;
    // Valid keys are not held up by wrong ones of the same network: 256 bits can't be guessed.
    await this.countWrong(network);
    throw this.refusal('users.not_authorized', 'The API key is unknown or has been revoked.');
  }

  /** Devices have ids of any length: guesses are limited for each key, right ones too. */
  private async requireDevice(key: CallingKey, { headers }: FastifyRequest, network: string): Promise<void> {
    if (key.deviceId === null) return;
    const subject = `${key.id}:${network}`;
    const counted = await this.wrongKeys.get(subject);
    if (counted && counted.consumedPoints >= WRONG_KEYS_PER_MINUTE) throw rateLimited(counted);
    if (headers[DEVICE_ID_HEADER] === key.deviceId) return;
    await this.countWrong(subject);
    throw this.refusal('plugin_keys.device_mismatch');
  }

  /** @throws AppError `request.rate_limited` above the limit */
  private async countWrong(subject: string): Promise<void> {
    await this.wrongKeys.consume(subject).catch((refusal: unknown) => {
      throw refusal instanceof RateLimiterRes ? rateLimited(refusal) : refusal;
    });
  }

  private async recordUse({ id, lastUsedAt }: CallingKey, address: string): Promise<void> {
    const isRecent = lastUsedAt && Date.now() - lastUsedAt.getTime() < USE_RECORDED_SECONDS * 1000;
    if (!isRecent) await this.repository.recordUse(id, isIP(address) ? address : null, USE_RECORDED_SECONDS);
  }
}
