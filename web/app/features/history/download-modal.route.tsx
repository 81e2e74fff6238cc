import { type Role, type Task, taskRoutes, userRoutes } from '@clearframe/contract';
import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { seeOther } from '../../http/answer.server';
import { ApiError, callApi } from '../../http/api.server';
import { translatorFor } from '../../i18n/i18n.server';
import { tokenOf } from '../../session/visitor.server';
import { ModalPage } from '../modals/modal-page';
import { archiveAddress, downloadsOf } from './downloads';
import { chosenIn, downloadKindOf, throwNothingSelected } from './history.server';
import { DownloadModal } from './history-modals';

export const handle = { i18n: ['account'] };

/** The page that says what can't be downloaded; starts the download when everything can. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const url = new URL(request.url);
  const [token, t] = await Promise.all([tokenOf(request, context), translatorFor(request, 'account')]);
  const taskIds = chosenIn(url);
  if (taskIds.length === 0) return throwNothingSelected(request, context);
  if (!token) throw seeOther('/history', request);
  const caller = { context, request, token };
  const [{ role }, tasks] = await Promise.all([
    callApi(userRoutes.getCurrentUser, {}, caller),
    Promise.all(
      taskIds.map((taskId) => callApi(taskRoutes.getTask, { params: { taskId } }, caller).catch(unlessMissing)),
    ),
  ]);
  const photos = tasks.flatMap((task) => (task ? [chosen(task, role)] : []));
  const downloads = downloadsOf(photos);
  const { ready, watermarked, small } = downloads;
  if (ready > 0 && ready === taskIds.length && watermarked + small === 0)
    throw redirect(archiveAddress(downloads.taskIds));
  return {
    downloads,
    title: ready > 0 ? t('history.downloads.title', { count: ready }) : t('history.downloadChosen'),
  };
}

const chosen = (task: Task, role: Role) => ({ task, download: downloadKindOf(task, role) });

/** Deleted concurrently. */
function unlessMissing(error: unknown): null {
  if (error instanceof ApiError && (error.code === 'tasks.not_found' || error.code === 'request.invalid')) return null;
  throw error;
}

export { pageHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function DownloadPage() {
  const { downloads } = useLoaderData<typeof loader>();
  return <ModalPage modal="history:download" with={downloads} body={DownloadModal} />;
}
