import { taskRoutes } from '@clearframe/contract';
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { seeOther } from '../../http/answer.server';
import { callApi } from '../../http/api.server';
import { readForm } from '../../http/form.server';
import { RETURN_PARAMETER, returnAddress } from '../../http/internal-address';
import { translatorFor } from '../../i18n/i18n.server';
import { setFlash } from '../../session/flash.server';
import { tokenOf } from '../../session/visitor.server';
import { ModalPage } from '../modals/modal-page';
import { throwNothingSelected } from './history.server';
import { DeleteModal } from './history-modals';

export const handle = { i18n: ['account'] };

const deleteForm = z.object({ taskId: z.array(z.string()), [RETURN_PARAMETER]: z.string().optional() });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const taskIds = new URL(request.url).searchParams.getAll('taskId');
  if (taskIds.length === 0) return throwNothingSelected(request, context);
  const t = await translatorFor(request, 'account');
  return { taskIds, title: t('history.delete.title', { count: taskIds.length }) };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { taskId: taskIds, from } = await readForm(request, context, deleteForm);
  const token = await tokenOf(request, context);
  // Photos that are gone already are only named in the response.
  await callApi(taskRoutes.deleteTasks, { body: { taskIds } }, { context, request, token });
  await setFlash('deleted', context);
  const back = returnAddress(from);
  const list = /^\/(?:history|batch)(?:[?]|$)/.test(back) ? back : '/history';
  throw seeOther(list, request);
}

export { pageHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function DeletePage() {
  const { taskIds } = useLoaderData<typeof loader>();
  return <ModalPage modal="history:delete" with={{ taskIds }} body={DeleteModal} />;
}
