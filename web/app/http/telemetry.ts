import type { TrackingData, TrackingKind } from '@clearframe/contract';

declare global {
  interface Window {
    /** Where a tag manager looks for events, once there is one. */
    dataLayer?: unknown[];
  }
}

/** Notes what a visitor did. */
export function track<Kind extends TrackingKind>(kind: Kind, data: TrackingData<Kind>): void {
  window.dataLayer ??= [];
  window.dataLayer.push({ event: kind, ...data });
}

/** Tells whoever watches over the page of a fault that the visitor has been told of already. */
export const report = (fault: unknown): void => window.reportError(fault);
