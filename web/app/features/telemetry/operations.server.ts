import { randomUUID } from 'node:crypto';
import {
  inMilliseconds,
  inSeconds,
  type OperationDetails,
  type OperationKind,
  type OperationStep,
  TYPE_OF_KIND,
  type WebEvent,
} from '@clearframe/contract';
import { z } from 'zod';
import { ApiError } from '../../http/api.server';
import { languageOf } from '../../i18n/i18n.server';
import { isMeasured } from '../../session/consent.server';
import { plainCookie } from '../../session/cookies.server';
import { trackingIdsIn } from '../../session/tracking-ids.server';
import type { Exchange } from '../../session/visitor.server';
import { sendEvents } from './send-events.server';

/** `token`: of a session that the operation itself has started. */
type Visit = Exchange & { readonly token?: string | null };

export interface Outcome {
  readonly step: Exclude<OperationStep, 'started'>;
  readonly errorCode?: string | undefined;
  /** Of the session that the operation has started, to which it belongs. */
  readonly token?: string | undefined;
}

interface Operation<Kind extends OperationKind> {
  readonly kind: Kind;
  readonly details: OperationDetails<Kind>;
}

interface OperationEnd extends Outcome {
  /** Unix time in ms; null for an operation that was not started, undefined where it can't be known. */
  readonly startedAt: number | null | undefined;
}

/** Runs an operation of one request and tracks its start and its end, with and without JavaScript. */
export async function trackOperation<Kind extends OperationKind, Result>(
  operation: Operation<Kind>,
  visit: Visit,
  work: () => Promise<Result>,
  outcomeOf: (result: Result) => Outcome = () => ({ step: 'completed' }),
): Promise<Result> {
  const startedAt = Date.now();
  const end = (outcome: Outcome) =>
    send([started(operation, startedAt), ended(operation, { ...outcome, startedAt })], {
      ...visit,
      token: outcome.token ?? visit.token ?? null,
    });
  try {
    const result = await work();
    end(outcomeOf(result));
    return result;
  } catch (error) {
    end(visit.request.signal.aborted ? { step: 'canceled' } : { step: 'failed', errorCode: errorCodeOf(error) });
    throw error;
  }
}

/** Kinds that lead to another site and end with the return. */
type ReturningKind = 'payment' | 'upgrade';

/** In a cookie: an address would differ at each try of the same payment. With consent to measurement only. */
const START_COOKIES = {
  payment: plainCookie('started_payment', inSeconds.days(1), z.number()),
  upgrade: plainCookie('started_upgrade', inSeconds.days(1), z.number()),
} as const satisfies Record<ReturningKind, object>;

export const sendStart = <Kind extends OperationKind>(operation: Operation<Kind>, visit: Visit): void =>
  send([started(operation, Date.now())], visit);

/**
 * Tracks the start of an operation that the return from another site ends.
 * @param isTracked the page's script has tracked it
 */
export async function trackStart<Kind extends ReturningKind>(
  operation: Operation<Kind>,
  exchange: Exchange,
  isTracked = false,
): Promise<void> {
  const { request, context } = exchange;
  if (!isTracked) sendStart(operation, exchange);
  if (isMeasured(request, context)) await START_COOKIES[operation.kind].write(Date.now(), context);
}

/** When an operation that {@link trackStart} began has started. Forgets it. */
export async function takeStart(
  kind: ReturningKind,
  { request, context }: Exchange,
): Promise<OperationEnd['startedAt']> {
  if (!isMeasured(request, context)) return undefined;
  const time = await START_COOKIES[kind].read(request);
  if (time !== null) await START_COOKIES[kind].clear(context);
  return time;
}

/** Tracks the end of an operation that another request started, with a warning where no start is known. */
export const trackEnd = <Kind extends OperationKind>(
  operation: Operation<Kind>,
  end: OperationEnd,
  visit: Visit,
): void => {
  const { step, startedAt } = end;
  const data = { warning: 'not_started', kind: operation.kind, step };
  const warnings = startedAt === null ? [eventOf('operationWarning', data, Date.now())] : [];
  send([ended(operation, end), ...warnings], visit);
};

/** The API's code. */
const errorCodeOf = (error: unknown): string =>
  error instanceof ApiError ? error.code : error instanceof Response ? `http_${error.status}` : 'unknown';

const started = <Kind extends OperationKind>({ kind, details }: Operation<Kind>, time: number): WebEvent =>
  eventOf(kind, { operation: 'started', ...details }, time);

function ended<Kind extends OperationKind>({ kind, details }: Operation<Kind>, end: OperationEnd): WebEvent {
  const { step, startedAt, errorCode } = end;
  const now = Date.now();
  const measured: WebEvent['data'] = {};
  if (typeof startedAt === 'number') measured.durationMs = Math.max(0, now - startedAt);
  if (errorCode) measured.errorCode = errorCode;
  return eventOf(kind, { operation: step, ...details, ...measured }, now);
}

const eventOf = (kind: string, data: WebEvent['data'], time: number): WebEvent => ({
  id: randomUUID(),
  timestamp: new Date(time).toISOString(),
  type: kind in TYPE_OF_KIND ? TYPE_OF_KIND[kind as keyof typeof TYPE_OF_KIND] : 'UserAction',
  kind,
  data,
});

/** In the background: the analytics neither delays nor fails what the visitor does. */
function send(events: readonly WebEvent[], visit: Visit): void {
  sendFromServer(events, visit).catch((error: unknown) =>
    visit.context.logger.warn({ err: error }, 'events could not be sent'),
  );
}

/** Sends events of a form or page of this visitor: anonymous unless a cookie says that they agreed to measurement. */
export async function sendFromServer(events: readonly WebEvent[], exchange: Visit): Promise<void> {
  const { request, context } = exchange;
  const isAnonymous = !isMeasured(request, context);
  const shift = isAnonymous ? randomShift() : 0;
  const info = { path: new URL(request.url).pathname, language: await languageOf(request) };
  const sent = events.map((event) => ({
    ...event,
    timestamp: new Date(Date.parse(event.timestamp) + shift).toISOString(),
    info: { ...info, ...event.info },
  }));
  const ids = isAnonymous ? null : await trackingIdsIn(request);
  await sendEvents({ ids, events: sent }, exchange);
}

/** Same as for anonymous events of the browser: the time must not identify a visit. */
const randomShift = (): number => Math.round((Math.random() * 2 - 1) * inMilliseconds.hours(12));
