import type { ErrorCode, Pack, Period, Plan } from '@clearframe/contract';

/** What is about to be paid for, in words and numbers for its page. */
export interface OrderView {
  readonly priceId: string;
  readonly item:
    | { readonly kind: 'plan'; readonly plan: Plan; readonly period: Period }
    | { readonly kind: 'pack'; readonly pack: Pack; readonly exports: number };
  /** Written already. */
  readonly price: string;
  /** What is charged at once. */
  readonly dueNow: string;
  /** When and how much next, for what recurs; null for what is paid once. */
  readonly next: { readonly price: string; readonly date: string } | null;
  readonly trial: { readonly isOffered: boolean; readonly isChosen: boolean; readonly hasReminder: boolean };
  /** Downloads that would be lost by subscribing. */
  readonly forfeits: number;
  readonly hasWallet: boolean;
  /** The intro offer is not asked for again. */
  readonly withoutIntro: boolean;
  /** The intro price is paid first. */
  readonly withIntro: boolean;
  readonly taskId: string | null;
  /** A guest may leave an email address for the receipt and a link back to the picture. */
  readonly asksForEmail: boolean;
  /** Names this attempt to pay, so that sending the form twice pays once. */
  readonly attempt: string;
}

/** How somebody pays. */
export type PayMethod = 'card' | 'wallet';

/** Why a payment came to nothing: how it ended, or a code of ours. */
export type PaymentProblem = 'canceled' | 'incomplete' | ErrorCode;
