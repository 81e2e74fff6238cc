import { taskRoutes } from '@clearframe/contract';
import { type ActionFunctionArgs, type AppLoadContext, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { z } from 'zod';
import { ApiError, callApi } from '../../../../http/api.server';
import { readForm } from '../../../../http/form/form.server';
import { preserveVersionParam, RETURN_PARAMETER, returnAddress } from '../../../../http/internal-address';
import { asApiError } from '../../../../http/problem.server';
import { translatorFor } from '../../../../i18n/i18n.server';
import { setFlash } from '../../../../session/flash/flash.server';
import { throwRefusal } from '../../../../session/me.server';
import { tokenOf } from '../../../../session/visitor.server';
import { throwNothingSelected } from './nothing-selected.server';

const deleteForm = z.object({ taskId: z.array(z.string()), [RETURN_PARAMETER]: z.string().optional() });

export async function loadDelete({ request, context }: LoaderFunctionArgs) {
  const taskIds = new URL(request.url).searchParams.getAll('taskId');
  if (taskIds.length === 0) return throwNothingSelected(request, context);
  const t = await translatorFor(request, 'account');
  return { taskIds, title: t('history.delete.title', { count: taskIds.length }) };
}

export async function deletePhotos({ request, context }: ActionFunctionArgs) {
  const { taskId: taskIds, from } = await readForm(request, context, deleteForm);
  const headers = new Headers();
  try {
    await deleteAll(taskIds, request, context);
  } catch (error) {
    request.signal.throwIfAborted();
    return throwRefusal(asApiError(error, context), { request, context, headers });
  }
  await setFlash('deleted', headers, context);
  const back = returnAddress(from);
  const list = /^\/(?:history|batch)(?:[?]|$)/.test(back) ? back : '/history';
  throw redirect(preserveVersionParam(list, new URL(request.url).search), { status: 303, headers });
}

/**
 * Deletes tasks at once, or one by one when one of them is gone already: the backend deletes all or nothing.
 * @throws ApiError
 */
async function deleteAll(taskIds: string[], request: Request, context: AppLoadContext): Promise<void> {
  const token = await tokenOf(request, context);
  const deleteTasks = (ids: string[]) =>
    callApi(taskRoutes.deleteTasks, { body: { taskIds: ids } }, { context, request, token }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError && error.code === 'tasks.not_found') return false;
        throw error;
      },
    );
  if (await deleteTasks(taskIds)) return;
  if (taskIds.length > 1) for (const taskId of taskIds) await deleteTasks([taskId]);
}
