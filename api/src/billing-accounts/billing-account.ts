import type { PaymentSnapshot, SubscriptionSnapshot } from '../providers/payment-provider.js';
import type {
  CreditEntryRow,
  ExportUseRow,
  GiftRedemptionRow,
  PaymentRow,
  SubscriptionRow,
  TrialUseRow,
} from './account.entities.js';

export type Payment = Readonly<PaymentRow>;
export type Subscription = Readonly<SubscriptionRow>;
export type CreditEntry = Readonly<CreditEntryRow>;
export type ExportUse = Readonly<ExportUseRow>;
export type TrialUse = Readonly<TrialUseRow>;
export type GiftRedemption = Readonly<GiftRedemptionRow>;

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

/** What a subscription has until it is read from its provider. */
export const UNREAD_SUBSCRIPTION = {
  customerId: null,
  introPriceId: null,
  paymentMethodId: null,
  asksTrial: false,
  currentPeriodStart: null,
  currentPeriodEnd: null,
  trialEnd: null,
  cancelAtPeriodEnd: false,
  canceledAt: null,
  endedAt: null,
  hasIntro: false,
  paidCents: 0,
  isDisputed: false,
  forfeitCredits: 0,
  forfeitedAt: null,
  replacesId: null,
  supersededAt: null,
  previewedAt: null,
  readNo: 0,
} as const satisfies Partial<Subscription>;

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

/** Whether a photo is paid for by a credit of its own that no download uses: a credit of an account serves other photos too. */
export const isUnspent = (account: BillingAccount, taskId: string): boolean =>
  balanceOf(account, taskId) > 0 && !account.exports.some((use) => use.taskId === taskId);

export const isRefundDue = ({ isDuplicate, isDisputed, refundedCents, amountCents }: Payment): boolean =>
  isDuplicate && !isDisputed && refundedCents < amountCents;

export const replaced = <Row>(rows: readonly Row[], old: Row, next: Row): Row[] =>
  rows.map((row) => (row === old ? next : row));

type NewEntry = Pick<CreditEntry, 'id' | 'amount' | 'reason' | 'taskId'> & {
  readonly paymentId?: string;
  readonly at: Date;
};

/** Once for each id. */
export function addEntry(account: BillingAccount, { at, paymentId, ...entry }: NewEntry): BillingAccount {
  if (account.credits.some(({ id }) => id === entry.id)) return account;
  const added = { ...entry, userId: account.userId, paymentId: paymentId ?? null, createdAt: at };
  return { ...account, credits: [...account.credits, added] };
}

/** `at` is billing time. `readNo` numbers readings of providers: the one that started later wins. */
export type BillingEvent =
  | { readonly kind: 'payment_ordered'; readonly payment: Payment }
  | { readonly kind: 'payment_announced'; readonly paymentId: string; readonly providerId: string }
  | {
      readonly kind: 'payment_synced';
      readonly paymentId: string;
      readonly snapshot: PaymentSnapshot;
      readonly readNo: number;
      readonly at: Date;
    }
  | { readonly kind: 'subscription_ordered'; readonly subscription: Subscription; readonly fingerprint: string | null }
  | {
      readonly kind: 'subscription_synced';
      readonly subscriptionId: string;
      readonly snapshot: SubscriptionSnapshot;
      /** Catalogue id; null for an unknown price, which changes nothing. */
      readonly priceId: string | null;
      readonly readNo: number;
      readonly at: Date;
    }
  | {
      /** Another card pays the first invoice; the buyer has agreed again to the forfeited credits. */
      readonly kind: 'subscription_reordered';
      readonly subscriptionId: string;
      readonly forfeitCredits: number;
    }
  | { readonly kind: 'subscription_abandoned'; readonly subscriptionId: string; readonly at: Date }
  | { readonly kind: 'upgrade_previewed'; readonly subscriptionId: string; readonly at: Date }
  | {
      readonly kind: 'export_reserved';
      readonly id: string;
      readonly taskId: string;
      readonly isFree: boolean;
      readonly at: Date;
    }
  | { readonly kind: 'export_committed'; readonly taskId: string }
  | { readonly kind: 'export_released'; readonly taskId: string; readonly at: Date }
  | {
      readonly kind: 'gift_redeemed';
      readonly id: string;
      readonly codeId: string;
      readonly durationMs: number;
      readonly at: Date;
    }
  | { readonly kind: 'guest_merged'; readonly at: Date }
  | {
      readonly kind: 'mobile_linked';
      readonly id: string;
      readonly oracleBackendId: string;
      readonly currentPeriodEnd: Date | null;
      readonly at: Date;
    };
