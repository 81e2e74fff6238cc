import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AccountRepository } from '../billing-accounts/account.repository.js';
import type { BillingAccount, Payment, Subscription } from '../billing-accounts/billing-account.js';
import { ReceiptRepository } from '../billing-mail/billing-mail.repository.js';
import type { CheckoutRow } from '../payments/checkout.repository.js';
import type { ExportedData, ExportPart } from '../platform/personal-data.js';
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
export type BillingPart = (typeof BILLING_PARTS)[number];

@Injectable()
export class BillingExport {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly accounts: AccountRepository,
    private readonly receipts: ReceiptRepository,
    private readonly data: BillingDataRepository,
  ) {}

  async read(userId: string): Promise<Pick<ExportedData, BillingPart>> {
    const { manager } = this.database;
    const account = await this.accounts.load(userId);
    return exportedBilling(account, {
      upgrades: await this.data.upgrades(userId),
      checkouts: await this.data.checkouts(userId),
      customers: await this.data.customers(userId),
      videos: await this.data.videoUses(userId),
      receipts: await this.receipts.list(manager, userId),
    });
  }
}

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
