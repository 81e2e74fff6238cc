import { sharingRoutes, type TaskSharing, taskRoutes } from '@clearframe/contract';
import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { isByScript, seeOther } from '../../http/answer.server';
import { ApiError, callApi } from '../../http/api.server';
import { readForm } from '../../http/form.server';
import { RETURN_PARAMETER, returnAddress } from '../../http/internal-address';
import { formatDeletionTime, formatExpiryDate } from '../../i18n/deletion-time';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { tokenOf } from '../../session/visitor.server';
import { readTask, taskIdIn } from '../tasks/task.server';
import { trackOperation } from '../telemetry/operations.server';
import type { ShareLink } from './share-modal';

export async function loadShare({ request, context }: LoaderFunctionArgs) {
  const { taskId, sharing, expiresAt } = await readTask(taskIdIn(request), request, context);
  const [t, language] = await Promise.all([translatorFor(request, 'result'), languageOf(request)]);
  const link = sharing && linkOf(sharing, language);
  const deletion = formatDeletionTime(expiresAt, new Date(), language);
  return { taskId, link, deletion, title: t('share.title') };
}

export async function readShareLink({ request, context }: LoaderFunctionArgs): Promise<Response> {
  return answer(request, context, async (token) => {
    const params = { taskId: taskIdIn(request) };
    return (await callApi(taskRoutes.getTask, { params }, { context, request, token })).sharing;
  });
}

const shareForm = z.object({
  taskId: z.uuid(),
  /** The link to revoke; absent: create one. */
  sharingId: z.string().optional(),
  [RETURN_PARAMETER]: z.string().optional(),
});

/** Creates or revokes a link. Redirects forms to the page of the link. */
export async function changeShareLink({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { taskId, sharingId, from } = await readForm(request, context, shareForm);
  const change = (token: string | null) =>
    sharingId === undefined
      ? trackOperation({ kind: 'share', details: {} }, { request, context }, () =>
          callApi(sharingRoutes.shareTask, { params: { taskId } }, { context, request, token }),
        )
      : revoke(sharingId, request, context, token);
  if (isByScript(request)) return answer(request, context, change);
  await change(await tokenOf(request, context));
  const query = new URLSearchParams({ taskId, [RETURN_PARAMETER]: returnAddress(from) });
  return seeOther(`/share?${query}`, request);
}

/** A link that is gone already counts as revoked. */
async function revoke(
  sharingId: string,
  request: Request,
  context: AppLoadContext,
  token: string | null,
): Promise<null> {
  await callApi(sharingRoutes.deleteSharing, { params: { sharingId } }, { context, request, token }).catch(
    (error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'sharings.not_found')) throw error;
    },
  );
  return null;
}

async function answer(
  request: Request,
  context: AppLoadContext,
  work: (token: string | null) => Promise<TaskSharing | null>,
): Promise<Response> {
  const [sharing, language] = await Promise.all([work(await tokenOf(request, context)), languageOf(request)]);
  return Response.json({ link: sharing && linkOf(sharing, language) });
}

const linkOf = ({ sharingId, url, expiresAt }: TaskSharing, language: string): ShareLink => ({
  sharingId,
  url,
  until: formatExpiryDate(expiresAt, new Date(), language),
});
