import { videoRoutes } from '@clearframe/contract';
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { z } from 'zod';
import { callApi } from '../../../http/api.server';
import { readForm } from '../../../http/form.server';
import { preserveVersionParam } from '../../../http/internal-address';
import { asApiError, throwPageFor } from '../../../http/problem.server';
import { throwRefusal } from '../../../session/me.server';
import { rememberRunning } from '../../../session/photos/photos-state.server';
import { tokenOf } from '../../../session/visitor.server';
import { videoAddress } from '../task/task-view';
import { readVideo } from './video.server';

/** A video as JSON, polled by its page. */
export async function readVideoJson({ request, context, params }: LoaderFunctionArgs): Promise<Response> {
  try {
    const video = await readVideo(params.taskId ?? '', request, context);
    return Response.json(video, { headers: { 'cache-control': 'no-store' } });
  } catch (answer) {
    // The page starts the login: it has the URL to return to.
    if (answer instanceof Response && answer.status === 303) return throwPageFor('users.not_authorized', context);
    throw answer;
  }
}

const videoForm = z.object({ intent: z.enum(['cancel', 'retry']) });

/** Cancels a video, or tries a failed one again, and returns to its page. */
export async function changeVideo({ request, context, params }: ActionFunctionArgs): Promise<Response> {
  const { taskId = '' } = params;
  const { intent } = await readForm(request, context, videoForm);
  const headers = new Headers();
  let address = videoAddress(taskId);
  try {
    const route = intent === 'cancel' ? videoRoutes.cancelVideoTask : videoRoutes.processVideoTask;
    const token = await tokenOf(request, context);
    await callApi(route, { params: { videoTaskId: taskId } }, { context, request, token });
    if (intent === 'retry') await rememberRunning(request, context, headers);
  } catch (error) {
    request.signal.throwIfAborted();
    const problem = asApiError(error, context);
    if (problem.code === 'users.not_authorized') return throwRefusal(problem, request, context, headers);
    // It has finished, or was started elsewhere: the page shows its state.
    if (problem.code !== 'tasks.wrong_state') address += `&problem=${problem.code}`;
  }
  return redirect(preserveVersionParam(address, new URL(request.url).search), { status: 303, headers });
}
