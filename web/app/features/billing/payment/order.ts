import type { ErrorCode, Pack, Period, Plan } from '@clearframe/contract';

/** An order, formatted for its page. */
export interface OrderView {
  readonly priceId: string;
  readonly item:
    | { readonly kind: 'plan'; readonly plan: Plan; readonly period: Period }
    | { readonly kind: 'pack'; readonly pack: Pack; readonly exports: number };
  /** Formatted. */
  readonly price: string;
  /** What is charged at once. */
  readonly dueNow: string;
  /** The next charge; null for one-time payments. */
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
  /** A guest may enter an email address for the receipt and a link to the photo. */
  readonly asksForEmail: boolean;
  /** Identifies this attempt to pay; a repeated form pays once. */
  readonly attempt: string;
}

/** Payment methods. */
export type PayMethod = 'card' | 'wallet';

/** Why a payment failed: its outcome, or an error code. */
export type PaymentProblem = 'canceled' | 'incomplete' | ErrorCode;
