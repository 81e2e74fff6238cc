import { randomUUID } from 'node:crypto';
import {
  type CreatedPluginKey,
  type CreatePluginKey,
  KEY_SCOPES,
  type KeyKind,
  type KeyScope,
  may,
  PLUGIN_KEYS_MAX,
  type PluginKey,
  type PluginKeyList,
  type pluginKeyRoutes,
  type RouteInput,
  type UpdatePluginKey,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditRepository } from '../audit/audit.repository.js';
import { VisitorFlags } from '../experiments/experiments.service.js';
import { lockUsers } from '../platform/database/statements.js';
import { AppError } from '../platform/errors/app-error.js';
import { type ExportedData, HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';
import type { Caller } from '../sessions/caller.js';
import { SessionService } from '../sessions/session.service.js';
import { TasksService } from '../tasks/tasks.service.js';
import { KeyUsage } from '../usage/key-usage.js';
import { hashOf, newKey } from './plugin-key-access.js';
import { type PluginKeyRow, PluginKeysRepository } from './plugin-keys.repository.js';

@Injectable()
@HoldsPersonalData(['pluginKeys'])
export class PluginKeysService implements PersonalData<'pluginKeys'> {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly repository: PluginKeysRepository,
    private readonly sessions: SessionService,
    private readonly flags: VisitorFlags,
    private readonly audit: AuditRepository,
    private readonly tasks: TasksService,
    private readonly usage: KeyUsage,
  ) {}

  /**
   * The key appears in this response only. A test key needs no plan.
   * @throws AppError `billing.not_offered` while keys are switched off; `plugin_keys.not_in_plan`;
   *   `plugin_keys.limit_reached`; `plugin_keys.live_required`; `plugin_keys.end_in_past`
   */
  async create(caller: Caller, choice: CreatePluginKey): Promise<CreatedPluginKey> {
    if (!(await this.flags.ofUser(caller.userId)).psPlugin) throw new AppError('billing.not_offered');
    if (!choice.isTest && !may(caller, 'plugin_key')) throw new AppError('plugin_keys.not_in_plan');
    const { key, row } = newRow(caller.userId, choice);
    await this.database.transaction(async (manager) => {
      await lockUsers(manager, caller.userId);
      await this.sessions.hold(manager, caller);
      if ((await this.repository.countLive(manager, caller.userId)) >= PLUGIN_KEYS_MAX) {
        throw new AppError('plugin_keys.limit_reached', { details: { limit: PLUGIN_KEYS_MAX } });
      }
      await this.repository.insert(manager, row);
      const details = { id: row.id, prefix: row.prefix };
      await this.audit.record({ actor: `user:${caller.userId}`, action: 'plugin_keys.create', details }, manager);
    });
    return { ...present(row), key };
  }

  /**
   * Allowed while the plan has no keys, so that they can be revoked.
   * @throws AppError `plugin_keys.not_found` for an unknown `startingAfter`
   */
  async list(
    { userId }: Caller,
    { limit, startingAfter }: RouteInput<typeof pluginKeyRoutes.listPluginKeys>['query'],
  ): Promise<PluginKeyList> {
    const after = startingAfter ? await this.find(userId, startingAfter) : null;
    const rows = await this.repository.listLive(userId, after, limit + 1);
    return { data: rows.slice(0, limit).map(present), hasMore: rows.length > limit };
  }

  /**
   * @throws AppError `plugin_keys.not_found`, also for another user's or a revoked key; `plugin_keys.live_required`,
   *   `plugin_keys.end_in_past`
   */
  update({ userId }: Caller, id: string, choice: UpdatePluginKey): Promise<PluginKey> {
    return this.database.transaction(async (manager) => {
      const row = await this.repository.update(manager, userId, id, choice);
      if (!row) throw new AppError('plugin_keys.not_found');
      requirePossible(row.kind, choice);
      const { scopes, expiresAt, limits } = choice;
      const details = { id, ...(scopes && { scopes }), expiresAt, ...limits };
      await this.audit.record({ actor: `user:${userId}`, action: 'plugin_keys.update', details }, manager);
      return present(row);
    });
  }

  /**
   * What a worker has begun for the key is finished; what waits is cancelled.
   * @throws AppError `plugin_keys.not_found`, also for another user's or a revoked key
   */
  async revoke(caller: Caller, id: string): Promise<void> {
    const { userId } = caller;
    await this.database.transaction(async (manager) => {
      if (!(await this.repository.revoke(manager, userId, id))) throw new AppError('plugin_keys.not_found');
      await this.audit.record({ actor: `user:${userId}`, action: 'plugin_keys.revoke', details: { id } }, manager);
    });
    // After the commit, which no request of the key passes.
    for (const taskId of await this.usage.listWaiting(id)) await this.cancelWaiting(caller, taskId);
  }

  /**
   * Binds the caller's key to a device, permanently.
   * @throws AppError `plugin_keys.device_mismatch` when it is bound to another; `users.not_authorized` when it has been
   *   revoked during the request
   */
  activate({ userId, principal }: Caller, deviceId: string): Promise<PluginKey> {
    if (principal.kind !== 'key') throw new Error('a session reached a route that admits keys only');
    const { keyId } = principal;
    return this.database.transaction(async (manager) => {
      const row = await this.repository.lockLive(manager, keyId);
      if (!row) throw new AppError('users.not_authorized');
      if (row.deviceId === deviceId) return present(row);
      if (row.deviceId !== null) throw new AppError('plugin_keys.device_mismatch');
      await this.repository.bind(manager, keyId, deviceId);
      const entry = { actor: `user:${userId}`, action: 'plugin_keys.activate', details: { id: keyId } };
      await this.audit.record(entry, manager);
      return present({ ...row, deviceId });
    });
  }

  async export(userId: string): Promise<Pick<ExportedData, 'pluginKeys'>> {
    const rows = await this.repository.listOfUser(userId);
    return {
      pluginKeys: rows.map((row) => ({
        ...present(row),
        kind: row.kind,
        revokedAt: row.revokedAt?.toISOString() ?? null,
      })),
    };
  }

  erase(userId: string): Promise<void> {
    return this.repository.deleteOfUser(userId);
  }

  /** Removes keys created by requests that ran during the erasure. */
  eraseWithAccount(manager: EntityManager, userId: string): Promise<void> {
    return this.repository.deleteOfUser(userId, manager);
  }

  /** One that has ended or was deleted meanwhile stays so. */
  private async cancelWaiting(caller: Caller, taskId: string): Promise<void> {
    await this.tasks.cancel(caller, taskId).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    });
  }

  private async find(userId: string, id: string): Promise<PluginKeyRow> {
    const row = await this.repository.findLive(userId, id);
    if (!row) throw new AppError('plugin_keys.not_found');
    return row;
  }
}

/** Watermarks of videos don't exist. */
const SCOPES: Readonly<Record<KeyKind, readonly KeyScope[]>> = {
  live: KEY_SCOPES,
  test: ['media:read', 'media:write'],
};

/** @throws AppError `plugin_keys.live_required`, `plugin_keys.end_in_past` */
function requirePossible(kind: KeyKind, { scopes, expiresAt }: Pick<UpdatePluginKey, 'scopes' | 'expiresAt'>): void {
  if (scopes?.some((scope) => !SCOPES[kind].includes(scope))) throw new AppError('plugin_keys.live_required');
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) throw new AppError('plugin_keys.end_in_past');
}

function newRow(userId: string, choice: CreatePluginKey) {
  const { isTest, name, scopes, expiresAt, limits } = choice;
  const kind = isTest ? 'test' : 'live';
  requirePossible(kind, choice);
  const { key, prefix } = newKey(kind);
  const row: PluginKeyRow = {
    id: randomUUID(),
    userId,
    kind,
    name,
    prefix,
    hash: hashOf(key),
    scopes: [...(scopes ?? SCOPES[kind])],
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    ...limits,
    deviceId: null,
    createdAt: new Date(),
    lastUsedAt: null,
    lastUsedIp: null,
    revokedAt: null,
  };
  return { key, row };
}

const present = (row: PluginKeyRow): PluginKey => ({
  id: row.id,
  isTest: row.kind === 'test',
  name: row.name,
  scopes: row.scopes,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  limits: { perMinute: row.perMinute, perMonth: row.perMonth },
  prefix: row.prefix,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  lastUsedIp: row.lastUsedIp,
  deviceId: row.deviceId,
});
