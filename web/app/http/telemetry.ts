import type { TrackingData, TrackingKind } from '@clearframe/contract';

declare global {
  interface Window {
    /** Where a tag manager looks for events, once there is one. */
    dataLayer?: unknown[];
  }
}

/** Records an event. */
export function track<Kind extends TrackingKind>(kind: Kind, data: TrackingData<Kind>): void {
  window.dataLayer ??= [];
  window.dataLayer.push({ event: kind, ...data });
}

/** Reports a handled error to the page's error monitoring. */
export const report = (fault: unknown): void => window.reportError(fault);
