import type { StripeErrorBody } from './objects.js';

/** Answered with Stripe's error body. */
export class StripeError extends Error {
  override readonly name = 'StripeError';

  constructor(
    readonly status: number,
    readonly body: StripeErrorBody,
    /** A failed charge is part of the ledger; a rejected request changes nothing. */
    readonly keepsChanges = false,
  ) {
    super(body.message);
  }
}

export const invalidRequest = (code: string, message: string, param?: string, status = 400): StripeError =>
  new StripeError(status, { type: 'invalid_request_error', code, message, param });

/** @param what as in Stripe's messages, for instance `customer` */
export const noSuch = (what: string, id: string, param = 'id', status = 404): StripeError =>
  invalidRequest('resource_missing', `No such ${what}: '${id}'`, param, status);

const MESSAGES: Readonly<Record<string, string>> = {
  insufficient_funds: 'Your card has insufficient funds.',
  authentication_failed: 'We are unable to authenticate your payment method.',
  payment_method_missing: 'This customer has no attached payment source or default payment method.',
};

export const declineBody = (reason: string): StripeErrorBody => ({
  type: 'card_error',
  code: 'card_declined',
  decline_code: reason === 'card_declined' ? 'generic_decline' : reason,
  message: MESSAGES[reason] ?? 'Your card was declined.',
});

/** @param keepsChanges false when nothing was created */
export const declined = (reason: string, keepsChanges: boolean): StripeError =>
  new StripeError(402, declineBody(reason), keepsChanges);
