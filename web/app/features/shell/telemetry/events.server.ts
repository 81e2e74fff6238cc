import { EVENT_HEADERS, eventRoutes, MAX_EVENTS, WebEvent } from '@clearframe/contract';
import type { ActionFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { callApi } from '../../../http/api.server';
import { asApiError } from '../../../http/problem.server';
import { isTester } from '../../../session/tester.server';
import { tokenOf } from '../../../session/visitor.server';

/** Largest beacon, in bytes. */
const MAX_BYTES = 64_000;

const Batch = z.object({ isAnonymous: z.boolean(), events: z.array(WebEvent).min(1).max(MAX_EVENTS) });

/** Passes a batch of events to the API with the visitor's token, which scripts can't read. Never an error for the visitor. */
export async function recordEvents({ request, context }: ActionFunctionArgs): Promise<Response> {
  const accepted = new Response(null, { status: 202, headers: { 'cache-control': 'no-store' } });
  const length = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  if (!(length <= MAX_BYTES)) return new Response(null, { status: 413 });
  const batch = Batch.safeParse(parseJson(await request.text()));
  if (!batch.success) return new Response(null, { status: 422 });
  const { isAnonymous, events } = batch.data;
  const headers: Record<string, string> = {
    ...(isAnonymous ? { [EVENT_HEADERS.anonymous]: 'true' } : {}),
    ...((await isTester(request, context)) ? { [EVENT_HEADERS.tester]: 'true' } : {}),
  };
  const token = isAnonymous ? null : await tokenOf(request, context);
  try {
    // The beacon of a closed page is aborted at once.
    await callApi(
      eventRoutes.recordEvents,
      { body: { events } },
      { request, context, token, headers, isDetached: true },
    );
  } catch (error) {
    asApiError(error, context);
  }
  return accepted;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
