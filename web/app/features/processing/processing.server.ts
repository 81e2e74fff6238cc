import type { ErrorCode, MediaType } from '@clearframe/contract';
import { redirect } from '@remix-run/node';
import { type DeletionTime, formatDeletionTime } from '../../i18n/deletion-time';
import { processingAddress } from '../../session/task-addresses';
import type { Exchange } from '../../session/visitor.server';
import { trackEnd } from '../telemetry/operations.server';
import { isEnded } from './ended-media';

/** In the address of pages that reload until the media is ready: when a form without JavaScript started it. */
const START_PARAMETER = 'since';

interface Processed {
  readonly mediaType: MediaType;
  readonly state: { readonly kind: string; readonly code?: ErrorCode };
}

/** Adds the present time to the address after a form has started the processing. */
export const withProcessStart = (address: string): string => `${address}&${START_PARAMETER}=${Date.now()}`;

/**
 * Tracks the end of processing for a page without JavaScript, once.
 * @throws Response the redirect to the same page without the time
 */
export function trackProcessEnd({ mediaType, state }: Processed, visit: Exchange): void {
  const url = new URL(visit.request.url);
  const startedAt = Number(url.searchParams.get(START_PARAMETER) ?? Number.NaN);
  if (!Number.isSafeInteger(startedAt) || !(state.kind === 'done' || isEnded(state))) return;
  const step = state.kind === 'done' ? 'completed' : state.kind === 'cancelled' ? 'canceled' : 'failed';
  const operation = { kind: 'process', details: { mediaType } } as const;
  trackEnd(operation, { step, startedAt: Math.min(startedAt, Date.now()), errorCode: state.code }, visit);
  url.searchParams.delete(START_PARAMETER);
  throw redirect(`${url.pathname}${url.search}`, 303);
}

/** In the address of a photo that was the first of several chosen files: their number. */
const FILES_PARAMETER = 'of';

export const firstOfSeveralAddress = (taskId: string, files: number): string =>
  processingAddress(taskId, files > 1 ? { [FILES_PARAMETER]: String(files) } : {});

/** The number of chosen files in the query; null for one. */
export function chosenFilesIn(query: URLSearchParams): number | null {
  const files = query.get(FILES_PARAMETER) ?? '';
  return /^\d{1,3}$/.test(files) && Number(files) > 1 ? Number(files) : null;
}

interface Kept {
  readonly state: { readonly kind: string };
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** Undefined when nothing is kept. The original of a failed task is, for a retry. */
export const deletionOf = ({ state: { kind }, expiresAt }: Kept, language: string): DeletionTime | undefined =>
  kind === 'invalid' || kind === 'cancelled' ? undefined : formatDeletionTime(expiresAt, new Date(), language);
