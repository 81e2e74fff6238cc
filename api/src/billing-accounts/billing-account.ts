import type { Currency, SubscriptionProvider, SubscriptionStatus } from '@clearframe/contract';
import type { ProviderName } from '../providers/payment-provider.js';

/** A one-time purchase. Inserted before the provider is called; its id is the reference at the provider. */
export interface Payment {
  readonly id: string;
  readonly userId: string | null;
  readonly provider: ProviderName;
  /** Null until the provider has responded. */
  readonly providerId: string | null;
  readonly customerId: string | null;
  /** Catalogue id. */
  readonly priceId: string;
  readonly exports: number;
  readonly amountCents: number;
  readonly currency: Currency;
  /** The task of a guest's single export; null for any task. */
  readonly taskId: string | null;
  readonly status: 'pending' | 'succeeded' | 'failed' | 'canceled';
  readonly refundedCents: number;
  readonly isDisputed: boolean;
  /** Charged for a photo that was already unlocked: grants nothing and is refunded. */
  readonly isDuplicate: boolean;
  readonly payerEmail: string | null;
  /** Number of the last reading from the provider; older readings are ignored. */
  readonly readNo: number;
  readonly createdAt: Date;
  readonly settledAt: Date | null;
}

/** `pending`: not confirmed by the provider. `abandoned`: never created there. Other values are the provider's. */
export type OwnSubscriptionStatus = SubscriptionStatus | 'pending' | 'abandoned';

/** The state when it was last read from its provider. */
export interface Subscription {
  readonly id: string;
  readonly userId: string | null;
  readonly provider: SubscriptionProvider;
  readonly providerId: string | null;
  readonly customerId: string | null;
  readonly priceId: string;
  readonly introPriceId: string | null;
  readonly paymentMethodId: string | null;
  readonly asksTrial: boolean;
  readonly status: OwnSubscriptionStatus;
  readonly currentPeriodStart: Date | null;
  readonly currentPeriodEnd: Date | null;
  readonly trialEnd: Date | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly canceledAt: Date | null;
  readonly endedAt: Date | null;
  readonly hasIntro: boolean;
  readonly paidCents: number;
  readonly currency: Currency;
  readonly isDisputed: boolean;
  /** Credits that the buyer agreed to forfeit at the start. */
  readonly forfeitCredits: number;
  readonly forfeitedAt: Date | null;
  readonly replacesId: string | null;
  readonly supersededAt: Date | null;
  readonly previewedAt: Date | null;
  readonly readNo: number;
  readonly createdAt: Date;
}

/** Entry of the append-only credit ledger. The balance is the sum. */
export interface CreditEntry {
  /** Derived from its cause (`purchase:…`, `export:…`): one entry for each. */
  readonly id: string;
  readonly userId: string;
  readonly amount: number;
  readonly reason: 'purchase' | 'export' | 'return' | 'forfeit' | 'refund' | 'dispute' | 'settled';
  /** Null for any task. */
  readonly taskId: string | null;
  readonly paymentId: string | null;
  readonly createdAt: Date;
}

export interface ExportUse {
  readonly taskId: string;
  readonly id: string;
  readonly userId: string;
  readonly source: 'unlimited' | 'period' | 'credit';
  readonly subscriptionId: string | null;
  readonly periodStart: Date | null;
  /** False while the file is being rendered. */
  readonly isKept: boolean;
  readonly createdAt: Date;
}

export interface TrialUse {
  readonly subscriptionId: string;
  readonly userId: string;
  readonly fingerprint: string | null;
  readonly createdAt: Date;
}

/** Remaining time is postponed while a business subscription runs. */
export interface GiftRedemption {
  readonly id: string;
  readonly userId: string;
  readonly codeId: string;
  readonly startsAt: Date;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

/** Changed by `reduce` only. */
export interface BillingAccount {
  readonly userId: string;
  readonly payments: readonly Payment[];
  readonly subscriptions: readonly Subscription[];
  readonly credits: readonly CreditEntry[];
  readonly exports: readonly ExportUse[];
  readonly trials: readonly TrialUse[];
  readonly gifts: readonly GiftRedemption[];
}

export const emptyAccount = (userId: string): BillingAccount => ({
  userId,
  payments: [],
  subscriptions: [],
  credits: [],
  exports: [],
  trials: [],
  gifts: [],
});

export const balanceOf = (account: BillingAccount, taskId: string | null): number =>
  account.credits.reduce((sum, entry) => (entry.taskId === taskId ? sum + entry.amount : sum), 0);

/** Whether a photo is paid for: downloaded, or with a credit of its own. */
export const isUnlocked = (account: BillingAccount, taskId: string): boolean =>
  account.exports.some((use) => use.taskId === taskId) || balanceOf(account, taskId) > 0;

export const isRefundDue = ({ isDuplicate, isDisputed, refundedCents, amountCents }: Payment): boolean =>
  isDuplicate && !isDisputed && refundedCents < amountCents;

export const replaced = <Row>(rows: readonly Row[], old: Row, next: Row): Row[] =>
  rows.map((row) => (row === old ? next : row));

export const addEntry = (account: BillingAccount, entry: CreditEntry): BillingAccount =>
  account.credits.some(({ id }) => id === entry.id) ? account : { ...account, credits: [...account.credits, entry] };
