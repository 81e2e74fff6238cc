import type { LoaderFunctionArgs } from '@remix-run/node';
import { throwPageFor } from '../../http/problem.server';
import { rememberRunning } from '../../session/photos-state.server';
import { loadTask } from './task.server';

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  try {
    const task = await loadTask(params.taskId ?? '', request, context);
    const headers = new Headers({ 'cache-control': 'no-store' });
    if (task.state.kind === 'waiting' || task.state.kind === 'working')
      await rememberRunning({ request, context, headers });
    return Response.json(task, { headers });
  } catch (answer) {
    // The page starts the login: it has the URL to return to.
    if (answer instanceof Response && answer.status === 303) return throwPageFor('users.not_authorized', context);
    throw answer;
  }
}
