import type { LoaderFunctionArgs } from '@remix-run/node';
import { loadTask } from '../features/task/task.server';

/** A task for the script of its pages. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const task = await loadTask(params.taskId ?? '', request, context);
  return Response.json(task, { headers: { 'cache-control': 'no-store' } });
}
