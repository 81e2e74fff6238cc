import { APP_VERSION, EVENT_HEADERS, eventRoutes, toWire, WebEvent } from '@clearframe/contract';
import { z } from 'zod';
import { callApi } from '../../../http/api.server';
import { asApiError } from '../../../http/problem.server';
import { forgetClientId, keepClientId } from '../../../session/client-id.server';
import { localStorageIdOf } from '../../../session/local-storage-id.server';
import { isTester } from '../../../session/tester.server';
import { type Exchange, tokenOf } from '../../../session/visitor.server';
import { postToHost } from './external-host.server';

interface EventBatch {
  /** Without consent to measurement: contains nothing that identifies the visitor. */
  readonly isAnonymous: boolean;
  readonly events: readonly WebEvent[];
}

/** Sends events to the analytics: the API's, unless another host is configured. Failures are logged only. */
export async function sendEvents({ isAnonymous, events }: EventBatch, exchange: Exchange): Promise<void> {
  const { request, context } = exchange;
  const clientId = isAnonymous ? null : await keepClientId(exchange);
  if (isAnonymous) await forgetClientId(exchange);
  const token = isAnonymous ? null : await tokenOf(request, context);
  const sent: Record<string, string> = {
    [EVENT_HEADERS.clientVersion]: APP_VERSION,
    ...(clientId ? { [EVENT_HEADERS.clientId]: clientId } : { [EVENT_HEADERS.anonymous]: 'true' }),
    ...((await isTester(request, context)) ? { [EVENT_HEADERS.tester]: 'true' } : {}),
  };
  const host = context.settings.analyticsUrl;
  if (host) {
    const ids: Readonly<Record<string, string | null>> = clientId
      ? {
          user_id: userIdIn(token),
          client_id: clientId,
          local_storage_id: await localStorageIdOf(request, context),
        }
      : {};
    const body = { events: events.map((event) => forHost(event, ids)) };
    await postToHost(host, '/v4/web-events', { body, headers: sent }, context);
    return;
  }
  try {
    // The beacon of a closed page is aborted at once.
    const caller = { request, context, token, headers: sent, isDetached: true };
    await callApi(eventRoutes.recordEvents, { body: { events: [...events] } }, caller);
  } catch (error) {
    asApiError(error, context);
  }
}

/** Fields of another host that the product's own analytics gets from the token and the headers (spec 1, section 7). */
const forHost = (event: WebEvent, ids: Readonly<Record<string, string | null>>) => ({
  ...Object(toWire(WebEvent, event)),
  request_timestamp: new Date().toISOString(),
  app: { name: 'web', version: APP_VERSION },
  ...ids,
});

const Claims = z.object({ sub: z.string() });

/** The user of an access token, which the API has verified before. */
function userIdIn(token: string | null): string | null {
  try {
    const claims = Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString();
    return Claims.parse(JSON.parse(claims)).sub;
  } catch {
    return null;
  }
}
