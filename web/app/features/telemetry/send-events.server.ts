import { APP_VERSION, EVENT_HEADERS, eventRoutes, inMilliseconds, toWire, WebEvent } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { ApiError, callApi } from '../../http/api.server';
import { asApiError } from '../../http/problem.server';
import { localStorageIdOf } from '../../session/local-storage-id.server';
import { testerCookie } from '../../session/preferences.server';
import { type TrackingIds, userIdIn } from '../../session/tracking-ids.server';
import { type Exchange, tokenOf } from '../../session/visitor.server';
import { settingsOf } from '../settings/settings.server';

interface EventBatch {
  /** Null without consent to measurement: nothing then identifies the visitor. */
  readonly ids: TrackingIds | null;
  readonly events: readonly WebEvent[];
}

/** In the data of events of a visit that came from an external onboarding. */
export const ONBOARDING_ID = 'web_onboarding_local_storage_id';

/** Sends events to the analytics: the API's, unless another host is configured. Failures are logged only. */
export async function sendEvents(
  { ids, events }: EventBatch,
  exchange: Exchange & { readonly token?: string | null },
): Promise<void> {
  const { request, context } = exchange;
  const token = ids === null ? null : (exchange.token ?? (await tokenOf(request, context)));
  const sent: Record<string, string> = {
    [EVENT_HEADERS.clientVersion]: APP_VERSION,
    ...(ids?.clientId && { [EVENT_HEADERS.clientId]: ids.clientId }),
    ...(ids === null && { [EVENT_HEADERS.anonymous]: 'true' }),
    ...((await testerCookie.read(request, context)) ? { [EVENT_HEADERS.tester]: 'true' } : {}),
  };
  const named = ids
    ? { ids: present({ ...idNames(ids), local_storage_id: await localStorageIdOf(request, context) }) }
    : {};
  const experiments = await experimentsOf(exchange);
  const complete = events.map((event) => ({
    ...event,
    info: { ...event.info, experiments },
    ids: undefined,
    ...named,
  }));
  const host = context.settings.analyticsUrl;
  if (host) {
    const users = ids && present({ user_id: userIdIn(token), client_id: ids.clientId });
    const body = { events: complete.map((event) => forHost(event, users)) };
    await postToHost(host, '/v4/web-events', { body, headers: sent }, context);
    return;
  }
  // The beacon of a closed page is aborted at once.
  const caller = { request, context, headers: sent, isDetached: true };
  const body = { events: complete };
  try {
    await callApi(eventRoutes.recordEvents, { body }, { ...caller, token }).catch((error: unknown) => {
      // The event itself ended the session, or it ended earlier.
      if (!(token && error instanceof ApiError && error.code === 'users.not_authorized')) throw error;
      return callApi(eventRoutes.recordEvents, { body }, caller);
    });
  } catch (error) {
    asApiError(error, { request, context });
  }
}

const idNames = ({ anonymousId, trackingUserId, onboardingLocalStorageId }: TrackingIds) => ({
  anonymous_id: anonymousId,
  tracking_user_id: trackingUserId,
  [ONBOARDING_ID]: onboardingLocalStorageId,
});

const present = (ids: Readonly<Record<string, string | null>>): Record<string, string> =>
  Object.fromEntries(Object.entries(ids).filter((entry): entry is [string, string] => entry[1] !== null));

/** Experiment → segment; none when the settings can't be read. */
async function experimentsOf({ request, context }: Exchange): Promise<Record<string, string>> {
  return settingsOf(request, context).then(
    ({ experiments }) => experiments,
    () => ({}),
  );
}

/** Fields of another host that the product's own analytics gets from the token and the headers (spec 1, section 7). */
const forHost = ({ ids, ...event }: WebEvent, users: Readonly<Record<string, string>> | null) => ({
  ...Object(toWire(WebEvent, event)),
  request_timestamp: new Date().toISOString(),
  app: { name: 'web', version: APP_VERSION },
  ...users,
  ...ids,
});

const TIMEOUT_MS = inMilliseconds.seconds(5);

interface HostRequest {
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Posts to another host than the product's: without the visitor's token, cookies and address. Failures are logged and
 * cause no error for the visitor.
 */
export async function postToHost(
  host: URL,
  path: string,
  { body, headers }: HostRequest,
  { logger }: AppLoadContext,
): Promise<void> {
  const url = new URL(`${host.pathname.replace(/\/$/, '')}${path}`, host);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    });
    await response.body?.cancel();
    if (!response.ok) logger.warn({ host: url.host, status: response.status }, 'events were rejected');
  } catch (cause) {
    logger.warn({ host: url.host, err: cause }, 'events could not be sent');
  }
}
