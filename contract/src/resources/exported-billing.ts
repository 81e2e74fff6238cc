import { z } from 'zod';

const Time = z.iso.datetime();

/** A purchase of downloads. Amounts in cents. */
export const ExportedPayment = z.object({
  provider: z.string(),
  /** The provider's; null while it has not answered. */
  paymentId: z.string().nullable(),
  priceId: z.string(),
  exports: z.int(),
  amountCents: z.int(),
  currency: z.string(),
  taskId: z.uuid().nullable(),
  status: z.string(),
  refundedCents: z.int(),
  isDisputed: z.boolean(),
  /** A second payment for the same photo, which was refunded. */
  isDuplicate: z.boolean(),
  /** Address reported by the wallet. */
  payerEmail: z.string().nullable(),
  createdAt: Time,
  settledAt: Time.nullable(),
});

/** Amounts in cents. */
export const ExportedSubscription = z.object({
  provider: z.string(),
  subscriptionId: z.string().nullable(),
  priceId: z.string(),
  introPriceId: z.string().nullable(),
  paymentMethodId: z.string().nullable(),
  status: z.string(),
  currentPeriodStart: Time.nullable(),
  currentPeriodEnd: Time.nullable(),
  trialEnd: Time.nullable(),
  cancelAtPeriodEnd: z.boolean(),
  canceledAt: Time.nullable(),
  /** For the current period, less refunds. */
  paidCents: z.int(),
  currency: z.string(),
  isDisputed: z.boolean(),
  /** Credits given up for the subscription. */
  forfeitCredits: z.int(),
  forfeitedAt: Time.nullable(),
  createdAt: Time,
  endedAt: Time.nullable(),
});

/** A started checkout, paid or not. */
export const ExportedCheckout = z.object({
  provider: z.string(),
  kind: z.string(),
  priceId: z.string(),
  introPriceId: z.string().nullable(),
  trial: z.boolean(),
  taskId: z.uuid().nullable(),
  /** Downloads of a pack, or credits given up for a subscription. */
  unlockedExports: z.int(),
  /** Left by a guest for the receipt. */
  receiptEmail: z.string().nullable(),
  createdAt: Time,
});

/** A change of plan or period, with its refund in cents. Ids are the provider's. */
export const ExportedUpgrade = z.object({
  fromSubscriptionId: z.string().nullable(),
  toSubscriptionId: z.string().nullable(),
  step: z.string(),
  refundCents: z.int(),
  refundedCents: z.int().nullable(),
  createdAt: Time,
});

/** A charge of a purchase or a subscription period. */
export const ExportedReceipt = z.object({
  number: z.string(),
  paymentId: z.string().nullable(),
  subscriptionId: z.string().nullable(),
  priceId: z.string(),
  amountCents: z.int(),
  currency: z.string(),
  chargedAt: Time,
});
