import type { LoaderFunctionArgs } from '@remix-run/node';
import { rememberRunning } from '../../session/photos-state.server';
import { loadTask } from './task.server';

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const task = await loadTask(params.taskId ?? '', request, context);
  if (task.state.kind === 'waiting' || task.state.kind === 'working') await rememberRunning({ request, context });
  return Response.json(task);
}
