import type { TrackingData, TrackingKind } from '@clearframe/contract';

declare global {
  interface Window {
    /** Read by a tag manager, if configured. */
    dataLayer?: unknown[];
  }
}

/** Ids that the visit came with, in later events; not in anonymous ones. */
const visitInfo: Record<string, string> = {};

/** Adds an id to later events. @param name as analytics expects it, in snake case */
export const addVisitInfo = (name: 'backend_id', value: string): void => {
  visitInfo[name] = value;
};

/** Records an event for the tag manager and for the product's own analytics. */
export function track<Kind extends TrackingKind>(kind: Kind, data: TrackingData<Kind>): void {
  window.dataLayer ??= [];
  window.dataLayer.push({ event: kind, ...data });
  const moment = { kind, data, time: Date.now(), path: window.location.pathname, visitInfo: { ...visitInfo } };
  // Loaded with the first event. Analytics that can't be loaded must not disturb the page.
  void import('./event-queue').then(
    ({ enqueueEvent }) => enqueueEvent(moment),
    () => undefined,
  );
}

export const report = (fault: unknown): void => window.reportError(fault);
