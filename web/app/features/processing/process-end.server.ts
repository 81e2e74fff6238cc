import type { ErrorCode, MediaType } from '@clearframe/contract';
import { redirect } from '@remix-run/node';
import type { OpenExchange } from '../../session/visitor.server';
import { trackEnd } from '../telemetry/operations.server';
import { isEnded } from './ended-media';

/** In the address of pages that reload until the media is ready: when a form without JavaScript started it. */
const PARAMETER = 'since';

interface Processed {
  readonly mediaType: MediaType;
  readonly state: { readonly kind: string; readonly code?: ErrorCode };
}

/** Adds the present time to the address after a form has started the processing. */
export const withProcessStart = (address: string): string => `${address}&${PARAMETER}=${Date.now()}`;

/**
 * Tracks the end of processing for a page without JavaScript, once.
 * @throws Response the redirect to the same page without the time
 */
export function trackProcessEnd(
  { mediaType, state }: Processed,
  visit: Pick<OpenExchange, 'request' | 'context'>,
): void {
  const url = new URL(visit.request.url);
  const startedAt = Number(url.searchParams.get(PARAMETER) ?? Number.NaN);
  if (!Number.isSafeInteger(startedAt) || !(state.kind === 'done' || isEnded(state))) return;
  const step = state.kind === 'done' ? 'completed' : state.kind === 'cancelled' ? 'canceled' : 'failed';
  const operation = { kind: 'process', details: { mediaType } } as const;
  trackEnd(operation, { step, startedAt: Math.min(startedAt, Date.now()), errorCode: state.code }, visit);
  url.searchParams.delete(PARAMETER);
  throw redirect(`${url.pathname}${url.search}`, 303);
}
