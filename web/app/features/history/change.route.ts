import type { ActionFunctionArgs } from '@remix-run/node';
import { seeOther } from '../../http/answer.server';
import { asApiError, throwPageFor } from '../../http/problem.server';
import { rememberRunning } from '../../session/photos-state.server';
import { cancelTask, retryTask } from '../tasks/task.server';
import { CHANGES } from './change-button';
import { listIn } from './history.server';

/** Tries a failed photo again or cancels a running one, and returns to the list. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { search, searchParams } = new URL(request.url);
  const change = CHANGES.find((name) => name === searchParams.get('intent'));
  if (!change) return throwPageFor('request.invalid', context);
  const taskId = searchParams.get('taskId') ?? '';
  const list = listIn(search);
  try {
    if (change === 'cancel') await cancelTask(taskId, request, context);
    else {
      await retryTask(taskId, request, context);
      await rememberRunning({ request, context });
    }
  } catch (error) {
    const problem = asApiError(error, { request, context });
    if (problem.code === 'users.not_authorized') throw problem;
    // It has finished, or was started elsewhere: the list shows its state.
    if (problem.code !== 'tasks.wrong_state') list.searchParams.set('problem', problem.code);
  }
  return seeOther(`${list.pathname}${list.search}`, request);
}
