import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AccountRepository } from '../billing-accounts/account.repository.js';
import type { BillingAccount, Payment, Subscription } from '../billing-accounts/billing-account.js';
import { BillingAccounts } from '../billing-accounts/billing-accounts.js';
import { isOpen } from '../billing-accounts/entitlements.js';
import { ReceiptRepository } from '../billing-mail/billing-mail.repository.js';
import type { CheckoutRow } from '../payments/checkout.repository.js';
import { lockUsers } from '../platform/database/statements.js';
import { type ExportedData, type ExportPart, HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';
import { PaymentProviders } from '../providers/payment-provider.js';
import type { UpgradeRow } from '../subscriptions/upgrade.repository.js';
import { BillingDataRepository, type CustomerRow, type VideoUseRow } from './billing-data.repository.js';

const iso = (date: Date): string => date.toISOString();
const isoOrNull = (date: Date | null): string | null => date?.toISOString() ?? null;

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

interface StoredBilling {
  readonly upgrades: readonly UpgradeRow[];
  readonly checkouts: readonly CheckoutRow[];
  readonly customers: readonly CustomerRow[];
  readonly videos: readonly VideoUseRow[];
  readonly receipts: ExportedData['receipts'];
}

function exportedBilling(
  account: BillingAccount,
  { upgrades, checkouts, customers, videos, receipts }: StoredBilling,
): Pick<ExportedData, BillingPart> {
  const providerIdOf = (id: string) => account.subscriptions.find((one) => one.id === id)?.providerId ?? null;
  return {
    payments: account.payments.map(exportedPayment),
    subscriptions: account.subscriptions.map(exportedSubscription),
    checkouts: checkouts.map(exportedCheckout),
    upgrades: upgrades.map(({ oldSubscriptionId, newSubscriptionId, step, refundCents, refundedCents, createdAt }) => ({
      fromSubscriptionId: providerIdOf(oldSubscriptionId),
      toSubscriptionId: providerIdOf(newSubscriptionId),
      step,
      refundCents,
      refundedCents,
      createdAt: iso(createdAt),
    })),
    receipts,
    creditEntries: account.credits.map(({ id, amount, reason, taskId, createdAt }) => ({
      entryId: id,
      amount,
      reason,
      taskId,
      createdAt: iso(createdAt),
    })),
    downloads: account.exports.map(({ taskId, source, periodStart, isKept, createdAt }) => ({
      taskId,
      source,
      periodStart: isoOrNull(periodStart),
      isKept,
      createdAt: iso(createdAt),
    })),
    trials: account.trials.map(({ fingerprint, createdAt }) => ({ fingerprint, createdAt: iso(createdAt) })),
    giftRedemptions: account.gifts.map(({ codeId, startsAt, expiresAt, createdAt }) => ({
      codeId,
      startsAt: iso(startsAt),
      expiresAt: iso(expiresAt),
      createdAt: iso(createdAt),
    })),
    videoUses: videos.map((use) => ({
      taskId: use.task_id,
      week: use.week,
      sizeBytes: Number(use.size_bytes),
      seconds: use.seconds,
      isKept: use.is_kept,
      createdAt: iso(use.created_at),
    })),
    providerCustomers: customers.map(({ customer_id, created_at }) => ({
      provider: 'stripe',
      customerId: customer_id,
      createdAt: iso(created_at),
    })),
  };
}

const exportedPayment = ({ providerId, createdAt, settledAt, ...payment }: Payment) => ({
  provider: payment.provider,
  paymentId: providerId,
  priceId: payment.priceId,
  exports: payment.exports,
  amountCents: payment.amountCents,
  currency: payment.currency,
  taskId: payment.taskId,
  status: payment.status,
  refundedCents: payment.refundedCents,
  isDisputed: payment.isDisputed,
  isDuplicate: payment.isDuplicate,
  payerEmail: payment.payerEmail,
  createdAt: iso(createdAt),
  settledAt: isoOrNull(settledAt),
});

const exportedSubscription = (subscription: Subscription) => ({
  provider: subscription.provider,
  subscriptionId: subscription.providerId,
  priceId: subscription.priceId,
  introPriceId: subscription.introPriceId,
  paymentMethodId: subscription.paymentMethodId,
  status: subscription.status,
  currentPeriodStart: isoOrNull(subscription.currentPeriodStart),
  currentPeriodEnd: isoOrNull(subscription.currentPeriodEnd),
  trialEnd: isoOrNull(subscription.trialEnd),
  cancelAtPeriodEnd: subscription.cancelAtPeriodEnd,
  canceledAt: isoOrNull(subscription.canceledAt),
  paidCents: subscription.paidCents,
  currency: subscription.currency,
  isDisputed: subscription.isDisputed,
  forfeitCredits: subscription.forfeitCredits,
  forfeitedAt: isoOrNull(subscription.forfeitedAt),
  createdAt: iso(subscription.createdAt),
  endedAt: isoOrNull(subscription.endedAt),
});

const exportedCheckout = (checkout: CheckoutRow) => ({
  provider: checkout.provider,
  kind: checkout.kind,
  priceId: checkout.priceId,
  introPriceId: checkout.introPriceId,
  trial: checkout.trial,
  taskId: checkout.taskId,
  unlockedExports: checkout.unlockedExports,
  receiptEmail: checkout.receiptEmail,
  createdAt: iso(checkout.createdAt),
});

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
    return exportedBilling(await this.repository.load(userId), {
      upgrades: await this.data.upgrades(userId),
      checkouts: await this.data.checkouts(userId),
      customers: await this.data.customers(userId),
      videos: await this.data.videoUses(userId),
      receipts: await this.receipts.list(this.database.manager, userId),
    });
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
