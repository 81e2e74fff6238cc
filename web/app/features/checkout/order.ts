import type { ErrorCode } from '@clearframe/contract';

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
