/** Success of a payment is shown after this many milliseconds (spec 1, sections 4 and 9). */
const PAYMENT_SUCCESS_DELAY_MS = 2400;

const PAYMENT_SUCCESSES: readonly string[] = ['paid', 'subscribed'];

/** Milliseconds after which the toast of a flash appears. */
export const toastDelayOf = (flash: string): number =>
  PAYMENT_SUCCESSES.includes(flash) ? PAYMENT_SUCCESS_DELAY_MS : 0;
