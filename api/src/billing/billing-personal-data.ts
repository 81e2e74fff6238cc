import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AccountRepository } from '../billing-accounts/account.repository.js';
import { BillingAccounts } from '../billing-accounts/billing-accounts.js';
import { isOpen } from '../billing-accounts/entitlements.js';
import { ReceiptRepository } from '../billing-mail/billing-mail.repository.js';
import { lockUsers } from '../platform/database/statements.js';
import { type ExportedData, type ExportPart, HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';
import { PaymentProviders } from '../providers/payment-provider.js';
import { BillingDataRepository } from './billing-data.repository.js';

type WithIsoDates<Row> = {
  [Name in keyof Row]: Row[Name] extends Date ? string : Row[Name] extends Date | null ? string | null : Row[Name];
};

const withIsoDates = <Row extends object>(row: Row): WithIsoDates<Row> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  ) as WithIsoDates<Row>;

export const BILLING_PARTS = [
  'payments',
  'subscriptions',
  'checkouts',
  'upgrades',
  'receipts',
  'creditEntries',
  'downloads',
  'trials',
  'giftRedemptions',
  'videoUses',
  'providerCustomers',
] as const satisfies readonly ExportPart[];
type BillingPart = (typeof BILLING_PARTS)[number];

@Injectable()
@HoldsPersonalData(BILLING_PARTS)
export class BillingPersonalData implements PersonalData<BillingPart> {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly repository: AccountRepository,
    private readonly data: BillingDataRepository,
    private readonly receipts: ReceiptRepository,
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

  async export(userId: string): Promise<Pick<ExportedData, BillingPart>> {
    const account = await this.repository.load(userId);
    const [upgrades, videoUses, customers] = [
      await this.data.upgrades(userId),
      await this.data.videoUses(userId),
      await this.data.customers(userId),
    ];
    const providerIdOf = (id: string) => account.subscriptions.find((one) => one.id === id)?.providerId ?? null;
    // The schema of the export drops what it doesn't name.
    return {
      payments: account.payments.map((row) => ({ ...withIsoDates(row), paymentId: row.providerId })),
      subscriptions: account.subscriptions.map((row) => ({ ...withIsoDates(row), subscriptionId: row.providerId })),
      checkouts: (await this.data.checkouts(userId)).map(withIsoDates),
      upgrades: upgrades.map((row) => ({
        ...withIsoDates(row),
        fromSubscriptionId: providerIdOf(row.oldSubscriptionId),
        toSubscriptionId: providerIdOf(row.newSubscriptionId),
      })),
      receipts: await this.receipts.list(this.database.manager, userId),
      creditEntries: account.credits.map((row) => ({ ...withIsoDates(row), entryId: row.id })),
      downloads: account.exports.map(withIsoDates),
      trials: account.trials.map(withIsoDates),
      giftRedemptions: account.gifts.map(withIsoDates),
      videoUses: videoUses.map((row) => ({ ...withIsoDates(row), sizeBytes: Number(row.sizeBytes) })),
      providerCustomers: customers.map((row) => ({ ...withIsoDates(row), provider: 'stripe' })),
    };
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
