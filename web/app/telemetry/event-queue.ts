import {
  EVENT_FLUSH_MS,
  MAX_EVENTS,
  type TrackingData,
  type TrackingKind,
  TYPE_OF_KIND,
  type WebEvent,
} from '@clearframe/contract';
import { anonymousTime } from './anonymous-time';
import { attributionFor } from './attribution';
import { agreedCategories, hasConsent } from './cookie-consent';
import { recordOperation } from './operations';
import { recordActivity } from './session';
import { isStorageUnavailable } from './storage';

/** Where the browser sends events; the server adds the visitor. */
const EVENTS_PATH = '/events';

export { resumeOperation } from './operations';

interface EventBatch {
  /** Without consent to measurement: stored without user. */
  readonly isAnonymous: boolean;
  readonly events: readonly WebEvent[];
}

interface EventPlace {
  readonly path: string;
  /** Query of the page that the visit started with. */
  readonly landing: string;
  readonly visitInfo: Readonly<Record<string, string>>;
}

interface QueuedEvent extends EventPlace, Pick<WebEvent, 'subtype'> {
  readonly kind: TrackingKind;
  readonly data: object;
  /** Of an operation that may run several times at once. */
  readonly key?: string | undefined;
  /** Unix time in ms. */
  readonly time: number;
}

const queue: QueuedEvent[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let isStorageReported = false;

/** A batch leaves after {@link EVENT_FLUSH_MS}, when it is full, and with the page. */
export function enqueueEvent(event: QueuedEvent): void {
  startSession(event.time, event);
  const { warning, durationMs } = recordOperation(event.kind, event.data, event.time, event.key);
  add(durationMs === null ? event : { ...event, data: { ...event.data, durationMs } });
  if (warning) add({ ...event, ...technical('operationWarning', warning) });
  if (isStorageUnavailable() && !isStorageReported) {
    isStorageReported = true;
    add({ ...event, ...technical('storageUnavailable', {}) });
  }
}

/** Queues the start of a session, and the end of an earlier one, if activity causes them. */
export function startSession(now: number, { path, landing, visitInfo }: EventPlace): void {
  for (const { subtype, time, data } of recordActivity(now, hasConsent('C0002')))
    add({ kind: 'session', subtype, data, time, path, landing, visitInfo });
}

const technical = <Kind extends TrackingKind>(kind: Kind, data: TrackingData<Kind>) => ({ kind, data });

function add(event: QueuedEvent): void {
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

function eventOf(event: QueuedEvent, isAnonymous: boolean): WebEvent {
  const { kind, subtype, data, time, path, landing, visitInfo } = event;
  return {
    id: crypto.randomUUID(),
    timestamp: new Date(isAnonymous ? anonymousTime(time) : time).toISOString(),
    type: kind in TYPE_OF_KIND ? TYPE_OF_KIND[kind as keyof typeof TYPE_OF_KIND] : 'UserAction',
    ...(subtype && { subtype }),
    kind,
    data: { ...data },
    info: {
      path,
      language: document.documentElement.lang,
      ...(isAnonymous ? {} : { ...attributionFor(landing, agreedCategories()), ...visitInfo }),
    },
  };
}

window.addEventListener('pagehide', flush);
