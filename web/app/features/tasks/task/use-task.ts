import { useCallback, useRef, useState } from 'react';
import type { TaskView } from './task-view';

/** A task that can be refetched without a navigation. */
export function useTask<View extends TaskView>(initial: View) {
  const [task, setTask] = useState<TaskView>(initial);
  const [isDelayed, setDelayed] = useState(false);
  const pending = useRef<Promise<TaskView | null> | null>(null);

  /** @returns the current task, or null when the request fails */
  const refresh = useCallback((): Promise<TaskView | null> => {
    pending.current ??= fetchTask(initial.taskId, initial.output?.id)
      .then(
        (fresh) => {
          setTask(fresh);
          setDelayed(false);
          return fresh;
        },
        () => {
          setDelayed(true);
          return null;
        },
      )
      .finally(() => {
        pending.current = null;
      });
    return pending.current;
  }, [initial.taskId, initial.output?.id]);

  return { task, isDelayed, refresh };
}

const TIMEOUT_MS = 10_000;

/** Reloads the page when the task is deleted or the session has ended: the page explains. */
export async function fetchTask(taskId: string, outputId?: string): Promise<TaskView> {
  const query = outputId === undefined ? '' : `?${new URLSearchParams({ outputId })}`;
  const response = await fetch(`/tasks/${taskId}${query}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.status === 404 || response.status === 401) window.location.reload();
  if (!response.ok) throw new Error(`fetching the task failed with status ${response.status}`);
  return (await response.json()) as TaskView;
}
