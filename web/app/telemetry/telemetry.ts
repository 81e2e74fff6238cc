import type { OperationKind, TrackingData, TrackingKind } from '@clearframe/contract';

declare global {
  interface Window {
    /** Read by a tag manager, if configured. */
    dataLayer?: unknown[];
  }
}

/** Ids from the visit's landing page that later events include; anonymous ones don't. */
const visitInfo: Record<string, string> = {};

/** Adds an id to later events. @param name as analytics expects it, in snake case */
export const addVisitInfo = (name: 'backend_id' | 'web_onboarding_local_storage_id', value: string): void => {
  visitInfo[name] = value;
};

/** Query of the page that the visit started with: scripts change the address. */
let landing = typeof window === 'undefined' ? '' : window.location.search;

const place = () => ({ path: window.location.pathname, landing, visitInfo: { ...visitInfo } });

/** Loaded with the first event. Analytics that can't be loaded must not disturb the page. */
const withQueue = (use: (queue: typeof import('./event-queue')) => void): void =>
  void import('./event-queue').then(use, () => undefined);

/** Records activity of the visitor, which may start a session. @param search query of the page that was loaded */
export function trackActivity(search: string): void {
  landing = search;
  const [now, where] = [Date.now(), place()];
  withQueue(({ startSession }) => startSession(now, where));
}

/** @param key tells apart operations of a kind that run at the same time */
export function track<Kind extends TrackingKind>(kind: Kind, data: TrackingData<Kind>, key?: string): void {
  window.dataLayer ??= [];
  window.dataLayer.push({ event: kind, ...data });
  const moment = { kind, data, key, time: Date.now(), ...place() };
  withQueue(({ enqueueEvent }) => enqueueEvent(moment));
}

/** Takes over an operation that may have started on an earlier page: its end is no warning, and has no duration there. */
export const resumeOperation = (kind: OperationKind, key: string): void =>
  withQueue((queue) => queue.resumeOperation(kind, key));

export const report = (fault: unknown): void => window.reportError(fault);
