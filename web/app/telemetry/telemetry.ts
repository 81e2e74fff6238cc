import type { TrackingData, TrackingKind } from '@clearframe/contract';

declare global {
  interface Window {
    /** Read by a tag manager, if configured. */
    dataLayer?: unknown[];
    /** Categories agreed to, comma-separated; set by the consent banner, if configured. */
    OnetrustActiveGroups?: string;
  }
}

export function track<Kind extends TrackingKind>(kind: Kind, data: TrackingData<Kind>): void {
  window.dataLayer ??= [];
  window.dataLayer.push({ event: kind, ...data });
}

/** Measurement, and advertising (spec 1, section 9). */
export type ConsentCategory = 'C0002' | 'C0004';

/** Whether the visitor has agreed to a category; false without a banner. */
export const hasConsent = (category: ConsentCategory): boolean =>
  (window.OnetrustActiveGroups ?? '').split(',').includes(category);

/** Reports a handled error to error monitoring. */
export const report = (fault: unknown): void => window.reportError(fault);
