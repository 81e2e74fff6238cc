import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { downloadAddress } from '../../http/api-addresses.server';
import { throwPageFor } from '../../http/problem.server';
import { trackOperation } from '../telemetry/operations.server';
import { readTask, shownOutputOf } from './task.server';

/** Redirects to the file of a task's result, or with `?of=original` to its original: a page's signed URLs expire. */
export async function loader({ request, context, params }: LoaderFunctionArgs): Promise<Response> {
  const isOriginal = new URL(request.url).searchParams.get('of') === 'original';
  const details = { file: isOriginal ? ('original' as const) : ('result' as const) };
  const address = await trackOperation({ kind: 'download', details }, { request, context }, async () => {
    const task = await readTask(params.taskId ?? '', request, context);
    const url = isOriginal ? task.inputUrl : (shownOutputOf(task, null)?.url ?? null);
    return url ?? throwPageFor('tasks.wrong_state', context);
  });
  return redirect(downloadAddress(address, context.settings));
}
