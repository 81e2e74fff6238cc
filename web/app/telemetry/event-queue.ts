import { EVENT_FLUSH_MS, MAX_EVENTS, type WebEvent } from '@clearframe/contract';
import { anonymousTime } from './anonymous-time';
import { hasConsent } from './cookie-consent';

/** Where the browser sends events; the server adds the visitor. */
const EVENTS_PATH = '/events';

interface EventBatch {
  /** Without consent to measurement: stored without user. */
  readonly isAnonymous: boolean;
  readonly events: readonly WebEvent[];
}

interface QueuedEvent {
  readonly kind: string;
  readonly data: object;
  /** Unix time in milliseconds. */
  readonly time: number;
  readonly path: string;
  readonly visitInfo: Readonly<Record<string, string>>;
}

const queue: QueuedEvent[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Queues an event. A batch leaves after {@link EVENT_FLUSH_MS}, when it is full, and with the page. */
export function enqueueEvent(event: QueuedEvent): void {
  queue.push(event);
  if (queue.length >= MAX_EVENTS) flush();
  else timer ??= setTimeout(flush, EVENT_FLUSH_MS);
}

function flush(): void {
  clearTimeout(timer);
  timer = undefined;
  const events = queue.splice(0);
  if (events.length === 0) return;
  // Checked again, because the visitor may have answered the banner since.
  const isAnonymous = !hasConsent('C0002');
  const batch: EventBatch = { isAnonymous, events: events.map((event) => eventOf(event, isAnonymous)) };
  // Outlives the page, and reports no error to the visitor.
  navigator.sendBeacon(EVENTS_PATH, new Blob([JSON.stringify(batch)], { type: 'application/json' }));
}

function eventOf({ kind, data, time, path, visitInfo }: QueuedEvent, isAnonymous: boolean): WebEvent {
  return {
    id: crypto.randomUUID(),
    timestamp: new Date(isAnonymous ? anonymousTime(time) : time).toISOString(),
    type: 'UserAction',
    kind,
    data: { ...data },
    info: { path, language: document.documentElement.lang, ...(isAnonymous ? {} : visitInfo) },
  };
}

window.addEventListener('pagehide', flush);
