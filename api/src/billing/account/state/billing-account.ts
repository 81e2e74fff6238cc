import type { Currency, SubscriptionProvider, SubscriptionStatus } from '@clearframe/contract';
import type { ProviderName } from '../../providers/port/payment-provider.js';

/** Something bought once. Our row is there before the provider is asked; its id is what the provider calls it by. */
export interface Payment {
  readonly id: string;
  readonly userId: string | null;
  readonly provider: ProviderName;
  /** Null until the provider has answered. */
  readonly providerId: string | null;
  readonly customerId: string | null;
  /** The catalogue's name of the price. */
  readonly priceId: string;
  /** Downloads that it buys. */
  readonly exports: number;
  readonly amountCents: number;
  readonly currency: Currency;
  /** The only task that its download is good for: a guest's single download. */
  readonly taskId: string | null;
  readonly status: 'pending' | 'succeeded' | 'failed' | 'canceled';
  readonly refundedCents: number;
  readonly isDisputed: boolean;
  readonly payerEmail: string | null;
  /** Which reading of the provider this is; an older one that comes late changes nothing. */
  readonly readNo: number;
  readonly createdAt: Date;
  readonly settledAt: Date | null;
}

/** `pending`: the provider has not answered yet. `abandoned`: it never made it. The rest are the provider's words. */
export type OwnSubscriptionStatus = SubscriptionStatus | 'pending' | 'abandoned';

/** A subscription, as its provider told it last. */
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
  /** Really paid for the running period, less refunds. */
  readonly paidCents: number;
  readonly currency: Currency;
  readonly isDisputed: boolean;
  /** Credits that the buyer has agreed to lose once it runs. */
  readonly forfeitCredits: number;
  readonly forfeitedAt: Date | null;
  /** The subscription that an upgrade ends in favour of this one. */
  readonly replacesId: string | null;
  readonly supersededAt: Date | null;
  /** The moment for which an upgrade was last computed. */
  readonly previewedAt: Date | null;
  readonly readNo: number;
  readonly createdAt: Date;
}

/** One line of the ledger of downloads. Lines are added, never changed; the balance is their sum. */
export interface CreditEntry {
  /** What it is about (`purchase:…`, `export:…`): the same thing is written down once. */
  readonly id: string;
  readonly userId: string;
  readonly amount: number;
  readonly reason: 'purchase' | 'export' | 'return' | 'forfeit' | 'refund' | 'dispute' | 'settled';
  /** The only task it is good for; null is good for any. */
  readonly taskId: string | null;
  readonly paymentId: string | null;
  readonly createdAt: Date;
}

/** A task that has been, or is being, downloaded clean and in full; at most one a task. */
export interface ExportUse {
  readonly taskId: string;
  readonly id: string;
  readonly userId: string;
  /** What it was taken from. */
  readonly source: 'unlimited' | 'period' | 'credit';
  readonly subscriptionId: string | null;
  readonly periodStart: Date | null;
  /** False while the file is being made. */
  readonly isKept: boolean;
  readonly createdAt: Date;
}

/** A free trial that somebody has had, or is about to have. */
export interface TrialUse {
  readonly subscriptionId: string;
  readonly userId: string;
  /** Keyed hash of the payment method's fingerprint, where the provider tells one. */
  readonly fingerprint: string | null;
  readonly createdAt: Date;
}

/** A gift code that was redeemed, and when its time runs. What is left moves while a business subscription runs. */
export interface GiftRedemption {
  readonly id: string;
  readonly userId: string;
  readonly codeId: string;
  readonly startsAt: Date;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

/** Everything about one user that money decides on. Changed by `reduce` and by nothing else. */
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

/** What is left of the credits good for one task only, or (null) of those good for any. */
export const balanceOf = (account: BillingAccount, taskId: string | null): number =>
  account.credits.reduce((sum, entry) => (entry.taskId === taskId ? sum + entry.amount : sum), 0);

/** A list with one row exchanged. */
export const replaced = <Row>(rows: readonly Row[], old: Row, next: Row): Row[] =>
  rows.map((row) => (row === old ? next : row));

/** Writes a line into the ledger, once. */
export const addEntry = (account: BillingAccount, entry: CreditEntry): BillingAccount =>
  account.credits.some(({ id }) => id === entry.id) ? account : { ...account, credits: [...account.credits, entry] };
