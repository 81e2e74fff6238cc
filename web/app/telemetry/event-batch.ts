import type { WebEvent } from '@clearframe/contract';

/** Where the browser sends events; the server adds the visitor. */
export const EVENTS_PATH = '/events';

export interface EventBatch {
  /** Without consent to measurement: stored without user. */
  readonly isAnonymous: boolean;
  readonly events: readonly WebEvent[];
}
