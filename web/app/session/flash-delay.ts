/** Spec 1, sections 4 and 9. */
const PAYMENT_SUCCESS_DELAY_MS = 2400;

const PAYMENT_SUCCESSES: readonly string[] = ['paid', 'subscribed'];

/** Delay of a flash message's toast, in milliseconds. */
export const toastDelayOf = (flash: string): number =>
  PAYMENT_SUCCESSES.includes(flash) ? PAYMENT_SUCCESS_DELAY_MS : 0;
