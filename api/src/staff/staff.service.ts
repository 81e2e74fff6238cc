import type { User } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Entitlements } from '../billing-accounts/entitlements.service.js';
import { lockUsers } from '../platform/database/statements.js';
import { AppError } from '../platform/errors/app-error.js';
import type { Caller } from '../sessions/caller.js';
import { AccountService } from '../users/account.service.js';
import { UserRepository } from '../users/user.repository.js';

@Injectable()
export class StaffService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly entitlements: Entitlements,
    private readonly accounts: AccountService,
    private readonly users: UserRepository,
  ) {}

  /** @throws AppError `secret_menu.subscribed` */
  async setIsFree({ userId }: Caller, isFree: boolean): Promise<User> {
    await this.database.transaction(async (manager) => {
      await lockUsers(manager, userId);
      const { monetization } = await this.entitlements.entitlementsOf(userId, manager);
      if (monetization.isSubscribed) throw new AppError('secret_menu.subscribed');
      await this.users.update(manager, userId, { isFree });
    });
    return this.accounts.getFresh(userId);
  }
}
