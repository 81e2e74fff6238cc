import type { User } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Caller } from '../identity/caller/caller.js';
import { Entitlements } from '../identity/caller/entitlements.js';
import { lockUsers } from '../platform/database/user-lock.js';
import { AppError } from '../platform/errors/app-error.js';
import { AccountService } from '../users/account.service.js';
import { UserRow } from '../users/user.entity.js';

/** What staff may do to their own accounts, to see the product as others do. */
@Injectable()
export class StaffService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly entitlements: Entitlements,
    private readonly accounts: AccountService,
  ) {}

  /** @throws AppError `secret_menu.subscribed`: whoever pays must not look as if they did not */
  async setIsFree({ userId }: Caller, isFree: boolean): Promise<User> {
    await this.database.transaction(async (manager) => {
      await lockUsers(manager, userId);
      const { monetization } = await this.entitlements.entitlementsOf(userId, manager);
      if (monetization.isSubscribed) throw new AppError('secret_menu.subscribed');
      await manager.update(UserRow, userId, { isFree });
    });
    return this.accounts.getFresh(userId);
  }
}
