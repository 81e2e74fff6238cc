import type { useEnhance } from '../../../api/test/support/enhance-fixture.js';
import { until } from '../../../api/test/support/until.js';

/** A worker that finishes each picture until the command has ended. */
export async function finishingAll<Value>(
  { worker, tasks }: Pick<ReturnType<typeof useEnhance>, 'worker' | 'tasks'>,
  command: Promise<Value>,
): Promise<Value> {
  let isOver = false;
  const ended = command.finally(() => {
    isOver = true;
  });
  await until(async () => {
    const found: { task_id: string }[] = await tasks();
    for (const { task_id: taskId } of found)
      if (worker().has(taskId)) await worker().end(taskId, (run) => worker().finish(run));
    return isOver;
  }, 'the command to end');
  return ended;
}
