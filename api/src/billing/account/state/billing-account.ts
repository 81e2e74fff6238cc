import type { Currency, SubscriptionProvider, SubscriptionStatus } from '@clearframe/contract';
import type { ProviderName } from '../../providers/port/payment-provider.js';

/** A one-time purchase. The row exists before the provider is called; its id is the provider's reference. */
export interface Payment {
  readonly id: string;
  readonly userId: string | null;
  readonly provider: ProviderName;
  /** Null until the provider's response. */
  readonly providerId: string | null;
  readonly customerId: string | null;
  /** The catalogue's name of the price. */
  readonly priceId: string;
  readonly exports: number;
  readonly amountCents: number;
  readonly currency: Currency;
  /** The task that a guest's single export is for; null for any task. */
  readonly taskId: string | null;
  readonly status: 'pending' | 'succeeded' | 'failed' | 'canceled';
  readonly refundedCents: number;
  readonly isDisputed: boolean;
  readonly payerEmail: string | null;
  /** Number of the reading from the provider; lower numbers are ignored. */
  readonly readNo: number;
  readonly createdAt: Date;
  readonly settledAt: Date | null;
}

/** `pending`: not confirmed by the provider. `abandoned`: never created. The others are the provider's. */
export type OwnSubscriptionStatus = SubscriptionStatus | 'pending' | 'abandoned';

/** A subscription as last read from its provider. */
export interface Subscription {
  readonly id: string;
  readonly userId: string | null;
  readonly provider: SubscriptionProvider;
  readonly providerId: string | null;
  readonly customerId: string | null;
  /** The catalogue's name of the plan's price. */
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
  /** Paid for the current period, less refunds. */
  readonly paidCents: number;
  readonly currency: Currency;
  readonly isDisputed: boolean;
  /** Credits that the buyer agreed to lose when it starts. */
  readonly forfeitCredits: number;
  readonly forfeitedAt: Date | null;
  /** The subscription that an upgrade replaces by this one. */
  readonly replacesId: string | null;
  readonly supersededAt: Date | null;
  /** The time of the last upgrade preview. */
  readonly previewedAt: Date | null;
  readonly readNo: number;
  readonly createdAt: Date;
}

/** An entry of the append-only credit ledger; the balance is the sum. */
export interface CreditEntry {
  /** Names its cause (`purchase:…`, `export:…`), so that each cause has one entry. */
  readonly id: string;
  readonly userId: string;
  readonly amount: number;
  readonly reason: 'purchase' | 'export' | 'return' | 'forfeit' | 'refund' | 'dispute' | 'settled';
  /** The task it is valid for; null for any. */
  readonly taskId: string | null;
  readonly paymentId: string | null;
  readonly createdAt: Date;
}

/** The export of a task in full size without watermark; at most one for each task. */
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

/** A free trial, used or ordered. */
export interface TrialUse {
  readonly subscriptionId: string;
  readonly userId: string;
  /** Keyed hash of the payment method's fingerprint; null where the provider has none. */
  readonly fingerprint: string | null;
  readonly createdAt: Date;
}

/** A redeemed gift code. Its remaining time is postponed while a business subscription runs. */
export interface GiftRedemption {
  readonly id: string;
  readonly userId: string;
  readonly codeId: string;
  readonly startsAt: Date;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

/** The billing state of one user. Changed by `reduce` only. */
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

/** Balance of the credits valid for one task, or (null) for any. */
export const balanceOf = (account: BillingAccount, taskId: string | null): number =>
  account.credits.reduce((sum, entry) => (entry.taskId === taskId ? sum + entry.amount : sum), 0);

/** A list with one row replaced. */
export const replaced = <Row>(rows: readonly Row[], old: Row, next: Row): Row[] =>
  rows.map((row) => (row === old ? next : row));

/** Adds a ledger entry, once for each id. */
export const addEntry = (account: BillingAccount, entry: CreditEntry): BillingAccount =>
  account.credits.some(({ id }) => id === entry.id) ? account : { ...account, credits: [...account.credits, entry] };
