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
