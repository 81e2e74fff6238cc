import type { ErrorCode, MediaType } from '@clearframe/contract';
import { useCallback, useEffect, useRef } from 'react';
import { resumeOperation, track } from '../../telemetry/telemetry';

/** Signed URLs expire after some minutes; they are refreshed once they are older than this. */
const URL_MAX_AGE_MS = 60_000;

/**
 * Refreshes signed URLs when the page becomes visible again.
 * @returns whether the current ones are still valid, and a function that refreshes them
 */
export function useFreshUrls(refresh: () => Promise<object | null>) {
  const refreshedAt = useRef<number | null>(null);
  const areFresh = useCallback(() => Date.now() - (refreshedAt.current ?? 0) < URL_MAX_AGE_MS, []);
  const renew = useCallback(async (): Promise<boolean> => {
    const fresh = await refresh();
    if (fresh) refreshedAt.current = Date.now();
    return fresh !== null;
  }, [refresh]);
  useEffect(() => {
    refreshedAt.current ??= Date.now();
    const onReturn = () => {
      if (!document.hidden && !areFresh()) void renew();
    };
    document.addEventListener('visibilitychange', onReturn);
    window.addEventListener('focus', onReturn);
    window.addEventListener('pageshow', onReturn);
    return () => {
      document.removeEventListener('visibilitychange', onReturn);
      window.removeEventListener('focus', onReturn);
      window.removeEventListener('pageshow', onReturn);
    };
  }, [areFresh, renew]);
  return { areFresh, renew };
}

interface Processed {
  readonly taskId: string;
  readonly state: { readonly kind: string; readonly code?: ErrorCode };
}

const RUNNING: readonly string[] = ['checking', 'waiting', 'working'];

/** Tracks the processing that the page shows, also what began before it was loaded. */
export function useProcessOperation(mediaType: MediaType, tasks: readonly Processed[]): void {
  /** Whether each task was running. */
  const known = useRef(new Map<string, boolean>());
  useEffect(() => {
    for (const { taskId, state } of tasks) {
      const wasRunning = known.current.get(taskId);
      const isRunning = RUNNING.includes(state.kind);
      known.current.set(taskId, isRunning);
      if (isRunning === (wasRunning ?? false)) continue;
      if (!isRunning) track('process', { ...endOf(state), mediaType }, taskId);
      else if (wasRunning === false) track('process', { operation: 'started', mediaType }, taskId);
      else resumeOperation('process', taskId);
    }
  }, [tasks, mediaType]);
}

function endOf({ kind, code }: Processed['state']) {
  if (kind === 'cancelled') return { operation: 'canceled' } as const;
  return kind === 'done' ? ({ operation: 'completed' } as const) : ({ operation: 'failed', errorCode: code } as const);
}
