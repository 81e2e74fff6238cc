import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ApiKeys } from '../sessions/api-keys.js';
import { PluginKeysRepository } from './plugin-keys.repository.js';

@Injectable()
export class IssuedKeys extends ApiKeys {
  constructor(private readonly repository: PluginKeysRepository) {
    super();
  }

  override hold(manager: EntityManager, keyId: string): Promise<boolean> {
    return this.repository.holdLive(manager, keyId);
  }

  override revokeAll(userId: string, manager?: EntityManager): Promise<void> {
    return this.repository.revokeAllOf(userId, manager);
  }
}
