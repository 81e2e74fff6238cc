import type { Recipe } from '@clearframe/contract';
import { until } from '../until.js';
import type { Announced, Visitor } from '../visitor.js';
import type { ManualWorker } from './manual-worker.js';

export const waitForStatus = (visitor: Visitor, taskId: string, status: string) =>
  until(async () => {
    const task = await visitor.task(taskId);
    return task.status === status && task;
  }, `${taskId} to be ${status}`);

/** Until the files that the present plan calls for exist. */
export const waitForFiles = (visitor: Visitor, taskId: string) =>
  until(async () => {
    const task = await visitor.task(taskId);
    return !task.result.outputs.some(({ is_encoding }: { is_encoding: boolean }) => is_encoding) && task;
  }, `the files of ${taskId}`);

export async function createFinishedTask(
  visitor: Visitor,
  worker: ManualWorker,
  input: object = {},
  { bytes, recipe }: { readonly bytes?: Buffer; readonly recipe?: Partial<Recipe> } = {},
): Promise<Announced> {
  const announced = await visitor.process(input, bytes);
  await worker.end(announced.task_id, (run) => worker.finish(run, undefined, undefined, recipe));
  await waitForStatus(visitor, announced.task_id, 'completed');
  return announced;
}
