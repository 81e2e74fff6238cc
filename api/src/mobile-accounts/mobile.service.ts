import { randomUUID } from 'node:crypto';
import type { User } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { BillingAccounts } from '../billing-accounts/billing-accounts.js';
import { isUniqueViolation, lockUsers } from '../platform/database/statements.js';
import { AppError } from '../platform/errors/app-error.js';
import type { Caller } from '../sessions/caller.js';
import { AccountService } from '../users/account.service.js';
import { UserRepository } from '../users/user.repository.js';
import { MobileAccounts } from './mobile-accounts.js';

@Injectable()
export class MobileService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly mobile: MobileAccounts,
    private readonly billing: BillingAccounts,
    private readonly accounts: AccountService,
    private readonly users: UserRepository,
  ) {}

  /**
   * Links a subscribed mobile account with the caller's verified address: knowing its id proves nothing. Idempotent.
   * @throws AppError `mobile.not_found`, also for an account of another user; `mobile.already_linked`
   */
  async link(caller: Caller, oracleBackendId: string): Promise<User> {
    const account = await this.mobile.find(oracleBackendId);
    const linking = this.database.transaction(async (manager) => {
      await lockUsers(manager, caller.userId);
      const user = await this.users.find(caller.userId, manager);
      const isTheirs =
        account?.isEmailVerified &&
        account.isSubscribed &&
        user?.isEmailVerified &&
        user.email === account.email.toLowerCase();
      if (!isTheirs) throw new AppError('mobile.not_found');
      if (caller.entitlements.mobileOracleBackendId === oracleBackendId) return;
      if (await this.billing.isMobileLinked(manager, oracleBackendId)) throw new AppError('mobile.already_linked');
      await this.billing.changeIn(manager, caller.userId, (_account, at) => ({
        events: [
          { kind: 'mobile_linked', id: randomUUID(), oracleBackendId, currentPeriodEnd: account.currentPeriodEnd, at },
        ],
        result: null,
      }));
    });
    await linking.catch((error: unknown) => {
      // Another account has linked it meanwhile.
      if (isUniqueViolation(error, 'subscriptions_provider_provider_id_key'))
        throw new AppError('mobile.already_linked');
      throw error;
    });
    return this.accounts.getFresh(caller.userId);
  }
}
