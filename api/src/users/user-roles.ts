import type { Role } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Entitlements, resolveRole } from '../billing-accounts/entitlements.service.js';
import { UserRepository } from './user.repository.js';

/** Roles of users who are not the caller: owners of shared pictures and of media whose run ends. */
@Injectable()
export class UserRoles {
  constructor(
    private readonly users: UserRepository,
    private readonly entitlements: Entitlements,
  ) {}

  /** Role of today; null when the account has been erased. */
  async roleOf(userId: string, manager?: EntityManager): Promise<Role | null> {
    const user = await this.users.find(userId, manager);
    return user && resolveRole(user, await this.entitlements.entitlementsOf(userId, manager));
  }
}
