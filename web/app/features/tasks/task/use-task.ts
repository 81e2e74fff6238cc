import { useCallback, useRef, useState } from 'react';
import type { TaskView } from './task-view';

/** Asks for a task again without leaving the page. */
export function useTask<View extends TaskView>(initial: View) {
  const [task, setTask] = useState<TaskView>(initial);
  const [isDelayed, setDelayed] = useState(false);
  const asking = useRef<Promise<TaskView | null> | null>(null);

  /** @returns the current task, or null when the request fails */
  const refresh = useCallback((): Promise<TaskView | null> => {
    asking.current ??= ask(initial.taskId)
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
        asking.current = null;
      });
    return asking.current;
  }, [initial.taskId]);

  return { task, isDelayed, refresh };
}

const TIMEOUT_MS = 10_000;

async function ask(taskId: string): Promise<TaskView> {
  const response = await fetch(`/tasks/${taskId}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  // The task is gone, or the visit has ended: the page itself has the words for it.
  if (response.status === 404 || response.status === 401) window.location.reload();
  if (!response.ok) throw new Error(`The task could not be fetched: ${response.status}`);
  return (await response.json()) as TaskView;
}
