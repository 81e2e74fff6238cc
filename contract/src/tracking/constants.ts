// Apart from the events, so that pages that need only these load no schemas.

/** Events of one call. */
export const MAX_EVENTS = 100;

/** How long clients collect events before they send them, in milliseconds (spec 1, section 9). */
export const EVENT_FLUSH_MS = 1_000;

/** Value in USD reported to advertising for each payment (spec 1, section 9). */
export const AD_PAYMENT_VALUE = 9.99;
