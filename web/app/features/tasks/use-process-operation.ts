import type { ErrorCode, MediaType } from '@clearframe/contract';
import { useEffect, useRef } from 'react';
import { resumeOperation, track } from '../../telemetry/telemetry';

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
