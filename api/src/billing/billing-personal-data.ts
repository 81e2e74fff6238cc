import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AccountRepository } from '../billing-accounts/account.repository.js';
import { BillingAccounts } from '../billing-accounts/billing-accounts.js';
import { isOpen } from '../billing-accounts/entitlements.js';
import { lockUsers } from '../platform/database/statements.js';
import { type ExportedData, HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';
import { PaymentProviders } from '../providers/payment-provider.js';
import { BillingDataRepository } from './billing-data.repository.js';
import { BILLING_PARTS, BillingExport, type BillingPart } from './exported-billing.js';

@Injectable()
@HoldsPersonalData(BILLING_PARTS)
export class BillingPersonalData implements PersonalData<BillingPart> {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly repository: AccountRepository,
    private readonly data: BillingDataRepository,
    private readonly exported: BillingExport,
    private readonly accounts: BillingAccounts,
    private readonly providers: PaymentProviders,
  ) {}

  /** The caller has locked both users. */
  async move(manager: EntityManager, from: string, to: string): Promise<void> {
    const gifts = await this.data.transfer(manager, from, to);
    if (gifts === 0) return;
    const merged = (_account: unknown, at: Date) => ({ events: [{ kind: 'guest_merged', at } as const], result: null });
    await this.accounts.changeIn(manager, to, merged);
  }

  export(userId: string): Promise<Pick<ExportedData, BillingPart>> {
    return this.exported.read(userId);
  }

  /** Ends open subscriptions first: an erased account must not be charged. */
  async erase(userId: string): Promise<void> {
    const { subscriptions } = await this.repository.load(userId);
    for (const { id, provider, providerId } of subscriptions.filter(isOpen)) {
      if (!providerId || provider === 'mobile') continue;
      await this.providers.of(provider).endSubscription(providerId, `erase:${id}`);
    }
    await this.database.transaction(async (manager) => {
      await lockUsers(manager, userId);
      await this.data.erase(manager, userId);
    });
  }

  listRetained(manager: EntityManager, userIds: readonly string[]): Promise<string[]> {
    return this.data.usersWithPurchases(manager, userIds);
  }
}
