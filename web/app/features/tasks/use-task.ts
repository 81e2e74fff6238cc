import { type PolledOptions, usePolled } from '../../http/use-polled';
import type { TaskView } from './task-view';

/** Polled while it is uploaded or processed, unless the options say otherwise. */
export function useTask(initial: TaskView, options: PolledOptions<TaskView> = { isChanging: isOpen }) {
  const { view: task, ...state } = usePolled(initial, taskDataAddress(initial.taskId, initial.output?.id), options);
  return { task, ...state };
}

export const taskDataAddress = (taskId: string, outputId?: string): string =>
  `/tasks/${taskId}${outputId === undefined ? '' : `?${new URLSearchParams({ outputId })}`}`;

const isOpen = ({ state: { kind } }: TaskView): boolean =>
  kind === 'uploading' || kind === 'waiting' || kind === 'working';
