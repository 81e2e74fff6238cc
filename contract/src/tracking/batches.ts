/** Events of one call. */
export const MAX_EVENTS = 100;

/** How long clients collect events before they send them, in milliseconds (spec 1, section 9). */
export const EVENT_FLUSH_MS = 1_000;
