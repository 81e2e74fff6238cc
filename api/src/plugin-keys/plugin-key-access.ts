import { type AccessRequirement, API_KEY_HEADER, DEVICE_ID_HEADER, inSeconds, may } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppConfig } from '../platform/config/app.config.js';
import { AppError } from '../platform/errors/app-error.js';
import { addressOf, networkOf } from '../platform/http/address.js';
import type { Caller } from '../sessions/caller.js';
import { CallerService } from '../sessions/caller.service.js';
import { KeyGuesses } from './key-guesses.js';
import type { PluginKeyRow } from './plugin-key.entity.js';
import { hashOf, isKeyShaped } from './plugin-key-secret.js';
import { PluginKeysRepository } from './plugin-keys.repository.js';

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
  constructor(
    private readonly repository: PluginKeysRepository,
    private readonly callers: CallerService,
    private readonly guesses: KeyGuesses,
    private readonly app: AppConfig,
  ) {}

  /**
   * The owner of the key, with the rights of their current plan.
   * @throws AppError `users.not_authorized` without a valid key; `plugin_keys.not_permitted`;
   *   `plugin_keys.device_mismatch`; `plugin_keys.not_in_plan`; `request.rate_limited` after too many wrong ones
   */
  async require(request: FastifyRequest, { keyScope, anyDevice }: AccessRequirement): Promise<Caller> {
    const network = networkOf(addressOf(request, this.app.internalSecret));
    const row = await this.keyOf(request, network);
    const { id: keyId, userId, scopes } = row;
    if (keyScope === null || !scopes.includes(keyScope)) throw new AppError('plugin_keys.not_permitted');
    if (!anyDevice) await this.requireDevice(row, request, network);
    const caller = await this.callers.ofKey(userId, { kind: 'key', keyId, scopes });
    if (!caller) throw invalidKey();
    if (!may(caller, 'plugin_key')) throw new AppError('plugin_keys.not_in_plan');
    await this.recordUse(row);
    return caller;
  }

  /** Of two different keys both must be valid; that of the key header counts. */
  private async keyOf(request: FastifyRequest, network: string): Promise<PluginKeyRow> {
    const rows = await Promise.all(
      keysIn(request).map((key) => (isKeyShaped(key) ? this.repository.findByHash(hashOf(key)) : null)),
    );
    const [row] = rows;
    if (row && rows.every((found) => found !== null)) return row;
    // Valid keys are not held up by wrong ones of the same network: 256 bits can't be guessed.
    await this.guesses.count(network);
    throw invalidKey();
  }

  /** Devices have ids of any length: guesses are limited for each key, right ones too. */
  private async requireDevice(row: PluginKeyRow, { headers }: FastifyRequest, network: string): Promise<void> {
    if (row.deviceId === null) return;
    const subject = `${row.id}:${network}`;
    await this.guesses.check(subject);
    if (headers[DEVICE_ID_HEADER] === row.deviceId) return;
    await this.guesses.count(subject);
    throw new AppError('plugin_keys.device_mismatch');
  }

  private async recordUse({ id, lastUsedAt }: PluginKeyRow): Promise<void> {
    const isRecent = lastUsedAt && Date.now() - lastUsedAt.getTime() < USE_RECORDED_SECONDS * 1000;
    if (!isRecent) await this.repository.recordUse(id, USE_RECORDED_SECONDS);
  }
}

const invalidKey = (): AppError =>
  new AppError('users.not_authorized', { description: 'The API key is unknown or has been revoked.' });
