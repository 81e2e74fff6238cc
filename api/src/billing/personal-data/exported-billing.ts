import type { EntityManager } from 'typeorm';
import type { ExportedData, ExportPart } from '../../users/personal-data.js';
import { loadAccount } from '../account/account.repository.js';
import type { Payment, Subscription } from '../account/state/billing-account.js';
import { receiptsOf } from '../mail/receipts.js';
import { CheckoutRow } from '../purchases/checkout.entity.js';
import { UpgradeRow } from '../upgrades/upgrade.entity.js';

interface CustomerRow {
  readonly customer_id: string;
  readonly created_at: Date;
}

/** PostgreSQL's bigint comes as text. */
interface VideoUseRow {
  readonly task_id: string;
  readonly week: string;
  readonly size_bytes: string;
  readonly seconds: number;
  readonly is_kept: boolean;
  readonly created_at: Date;
}

const iso = (date: Date): string => date.toISOString();
const isoOrNull = (date: Date | null): string | null => date?.toISOString() ?? null;

/** The parts of a data export that billing answers. */
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

/** Everything that billing stores about a user, as the data export shows it. */
export async function exportBilling(manager: EntityManager, userId: string): Promise<Pick<ExportedData, BillingPart>> {
  const account = await loadAccount(manager, userId);
  const upgrades = await manager.find(UpgradeRow, { where: { userId }, order: { createdAt: 'ASC' } });
  const checkouts = await manager.find(CheckoutRow, { where: { userId }, order: { createdAt: 'ASC' } });
  const customers: CustomerRow[] = await manager.query(
    'SELECT customer_id, created_at FROM billing_customers WHERE user_id = $1',
    [userId],
  );
  const videos: VideoUseRow[] = await manager.query(
    `SELECT task_id, week::text, size_bytes, seconds, is_kept, created_at FROM video_uses
     WHERE user_id = $1 ORDER BY created_at`,
    [userId],
  );
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
    receipts: await receiptsOf(manager, userId),
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
