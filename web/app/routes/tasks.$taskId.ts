import { type LoaderFunctionArgs } from '@remix-run/node';
import { loadTask } from '../features/tasks/task/task.server';
import { throwPageFor } from '../http/problem.server';

/** A task as JSON, polled by its pages. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  try {
    const task = await loadTask(params.taskId ?? '', request, context);
    return Response.json(task, { headers: { 'cache-control': 'no-store' } });
  } catch (answer) {
    // The page starts the login: it has the URL to return to.
    if (answer instanceof Response && answer.status === 303) return throwPageFor('users.not_authorized', context);
    throw answer;
  }
}
