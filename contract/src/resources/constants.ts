// Apart from the events, so that pages that need only these load no schemas.

export const MAX_EVENTS = 100;

/** How long clients collect events before they send them, in milliseconds (spec 1, section 9). */
export const EVENT_FLUSH_MS = 1_000;

/** Value in USD reported to advertising for each payment (spec 1, section 9). */
export const AD_PAYMENT_VALUE = 9.99;

/** Version of the web client, named in its events (spec 1, section 9). */
export const APP_VERSION = '1.143.0';

/** A session ends after this long without an event, in milliseconds: the usual definition of analytics. */
export const SESSION_TIMEOUT_MS = 30 * 60 * 1_000;

/** Kinds of other types than `UserAction`. */
export const TYPE_OF_KIND = {
  session: 'Session',
  operationWarning: 'TechnicalEvent',
  storageUnavailable: 'TechnicalEvent',
} as const;
