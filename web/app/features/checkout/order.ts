import type { ErrorCode, Pack, Period, Plan } from '@clearframe/contract';
import type { ComparedContents } from '../plans/offers';
import type { TrialDays } from '../plans/trial-roadmap';

/** The photo that a purchase is for. Its pictures have a watermark unless the photo is paid for. */
export interface PhotoView {
  /** Display file; signed and short-lived. */
  readonly url: string;
  readonly thumbnailUrl: string;
  /** Size of the display file, in pixels. */
  readonly display: { readonly width: number; readonly height: number };
  readonly fileName: string | null;
  /** Size of the file to download, in pixels. */
  readonly size: { readonly width: number; readonly height: number };
}

export interface CardFormView {
  readonly publishableKey: string;
  readonly scriptUrl: string;
  /** Saves a card for a subscription, or pays once. */
  readonly mode: 'setup' | 'payment';
  readonly amountCents: number;
  readonly currency: string;
}

export interface WalletFormView {
  readonly clientId: string;
  readonly scriptUrl: string;
  readonly intent: 'subscription' | 'capture';
  readonly amountCents: number;
  readonly currency: string;
}

export interface CardConfirmation {
  readonly kind: 'elements';
  readonly clientSecret: string;
  readonly returnPath: string;
}

export interface WalletConfirmation {
  readonly kind: 'paypal';
  /** Null for a one-time payment. */
  readonly planId: string | null;
  /** The subscription or order must carry it. */
  readonly customId: string;
  readonly returnPath: string;
}

export type Confirmation = CardConfirmation | WalletConfirmation;

export interface OrderView {
  readonly priceId: string;
  readonly item:
    | { readonly kind: 'plan'; readonly plan: Plan; readonly period: Period }
    | { readonly kind: 'pack'; readonly pack: Pack; readonly exports: number; readonly priceEach: string };
  readonly price: string;
  /** What the plan includes; null for a pack. */
  readonly contents: ComparedContents | null;
  readonly dueNow: string;
  /** The next charge; null for one-time payments. */
  readonly next: { readonly price: string; readonly date: string } | null;
  readonly trial: {
    readonly isOffered: boolean;
    readonly isChosen: boolean;
    readonly hasReminder: boolean;
    readonly days: TrialDays | null;
    /** Downloads during the trial; null: unlimited. */
    readonly exports: number | null;
    /** Choice made before a payment that didn't succeed. */
    readonly wantsReminder: boolean;
  };
  /** Downloads lost by subscribing. */
  readonly forfeits: number;
  /** Agreed to in the warning before. */
  readonly hasAgreedToForfeit: boolean;
  readonly hasWallet: boolean;
  /** Null: payments by wallet are approved on its page. */
  readonly walletForm: WalletFormView | null;
  /** Null: cards are entered on the provider's page. */
  readonly cardForm: CardFormView | null;
  readonly withoutIntro: boolean;
  /** The intro price is paid first. */
  readonly withIntro: boolean;
  readonly taskId: string | null;
  /** Null without a photo, and when it can't be shown. */
  readonly photo: PhotoView | null;
  /** Path of the route that the form calls. */
  readonly captchaAction: string;
  /** A guest may enter an email for the receipt and a link to the photo. */
  readonly asksForEmail: boolean;
  /** Address entered before a payment that didn't succeed. */
  readonly receiptEmail: string | null;
  readonly attempt: string;
}

export type PayMethod = 'card' | 'wallet';

/** Outcomes of a payment that have a text of their own. */
export const PAYMENT_OUTCOMES = ['canceled', 'incomplete', 'wallet_failed'] as const;

export type PaymentProblem = (typeof PAYMENT_OUTCOMES)[number] | ErrorCode;

/** Whether the page that was sent shows the charges of a trial; absent when the page has no such choice. */
export const SHOWN_TRIAL_FIELD = 'trialShown';

/** Value of the button that shows the chosen order without paying. */
export const UPDATE = 'update';

/**
 * Whether a sent form chooses another order than its page shows, so that the page must be shown again before anything is
 * charged: the switch was used without JavaScript, or less than a page load before the payment.
 */
export function choosesAnotherOrder(fields: URLSearchParams): boolean {
  const shown = fields.get(SHOWN_TRIAL_FIELD);
  const isChosen = fields.get('freeTrialEnabled') === 'true';
  return fields.get('method') === UPDATE || (shown !== null && (shown === 'true') !== isChosen);
}
