import { MAX_EVENTS, WebEvent } from '@clearframe/contract';
import type { ActionFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { forgetTrackingIds, keepTrackingIds } from '../../session/tracking-ids.server';
import { ONBOARDING_ID, sendEvents } from './send-events.server';

/** Largest beacon, in bytes. */
const MAX_BYTES = 64_000;

const Batch = z.object({ isAnonymous: z.boolean(), events: z.array(WebEvent).min(1).max(MAX_EVENTS) });

/** Forwards a batch of events with the ids that scripts can't read. Causes no error for the visitor. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const length = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  if (!(length <= MAX_BYTES)) return new Response(null, { status: 413 });
  const batch = Batch.safeParse(parseJson(await request.text()));
  if (!batch.success) return new Response(null, { status: 422 });
  const { isAnonymous, events } = batch.data;
  const exchange = { request, context };
  if (isAnonymous) await forgetTrackingIds(exchange);
  const ids = isAnonymous ? null : await keepTrackingIds(exchange, onboardingIdIn(events));
  await sendEvents({ ids, events }, exchange);
  return new Response(null, { status: 202 });
}

function onboardingIdIn(events: readonly WebEvent[]): string | null {
  const id = events.map(({ info }) => info?.[ONBOARDING_ID]).find((value) => typeof value === 'string');
  return typeof id === 'string' ? id : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
