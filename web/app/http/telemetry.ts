import type { TrackingData, TrackingKind } from '@clearframe/contract';

declare global {
  interface Window {
    /** Read by a tag manager, if configured. */
    dataLayer?: unknown[];
  }
}

export function track<Kind extends TrackingKind>(kind: Kind, data: TrackingData<Kind>): void {
  window.dataLayer ??= [];
  window.dataLayer.push({ event: kind, ...data });
}

/** Reports a handled error to error monitoring. */
export const report = (fault: unknown): void => window.reportError(fault);
