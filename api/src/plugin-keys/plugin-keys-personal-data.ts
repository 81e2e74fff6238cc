import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ExportedData, HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';
import { PluginKeysRepository } from './plugin-keys.repository.js';

@Injectable()
@HoldsPersonalData(['pluginKeys'])
export class PluginKeysPersonalData implements PersonalData<'pluginKeys'> {
  constructor(private readonly repository: PluginKeysRepository) {}

  /** Guests have no keys. */
  async move(): Promise<void> {}

  async export(userId: string): Promise<Pick<ExportedData, 'pluginKeys'>> {
    const rows = await this.repository.listOfUser(userId);
    return {
      pluginKeys: rows.map(({ prefix, deviceId, createdAt, lastUsedAt, revokedAt }) => ({
        prefix,
        deviceId,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
        revokedAt: revokedAt?.toISOString() ?? null,
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
}
