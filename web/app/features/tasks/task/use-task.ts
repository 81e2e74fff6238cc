import type { TaskView } from './task-view';
import { fetchView, useRefreshed } from './use-refreshed';

export function useTask(initial: TaskView) {
  const { view: task, ...state } = useRefreshed(initial, addressOf(initial.taskId, initial.output?.id));
  return { task, ...state };
}

export const fetchTask = (taskId: string): Promise<TaskView> => fetchView(addressOf(taskId));

const addressOf = (taskId: string, outputId?: string): string =>
  `/tasks/${taskId}${outputId === undefined ? '' : `?${new URLSearchParams({ outputId })}`}`;
