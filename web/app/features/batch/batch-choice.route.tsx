import { taskRoutes } from '@clearframe/contract';
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData, useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { seeOther } from '../../http/answer.server';
import { callApi } from '../../http/api.server';
import { readForm } from '../../http/form.server';
import { throwPageFor } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { rememberRunning } from '../../session/photos-state.server';
import { batchAddress, chosenFilesIn } from '../../session/task-addresses';
import { tokenOf } from '../../session/visitor.server';
import { MessagePage } from '../../ui/content/message-page';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { cancelUpload } from '../upload/upload.server';
import { bulkUploadIdIn, readBatch } from './batch.server';

const choiceForm = z.object({ intent: z.enum(['enhance', 'discard']) });

/** Asks before a part of the chosen files is enhanced. Their bytes are stored, and nothing has started. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { taskIds, bulkUploadId } = await readChoice({ request, context });
  if (taskIds.length === 0) throw seeOther(batchAddress(bulkUploadId), request);
  const t = await translatorFor(request, 'common');
  return {
    photos: taskIds.length,
    chosen: chosenFilesIn(new URL(request.url).searchParams),
    title: t('uploadError.tooManyFiles.title', { left: taskIds.length }),
  };
}

export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { intent } = await readForm(request, context, choiceForm);
  const { taskIds, bulkUploadId, token } = await readChoice({ request, context });
  const caller = { context, request, token };
  if (intent === 'discard') {
    for (const taskId of taskIds) await cancelUpload(taskId, caller);
    return seeOther('/', request);
  }
  if (taskIds.length > 0)
    await callApi(taskRoutes.processBulkUpload, { params: { bulkUploadId }, body: { taskIds } }, caller);
  await rememberRunning({ request, context });
  return seeOther(batchAddress(bulkUploadId), request);
}

/** The stored files that wait to be processed. */
async function readChoice({ request, context }: Pick<LoaderFunctionArgs, 'request' | 'context'>) {
  const batch = await readBatch(bulkUploadIdIn(request), request, context);
  if (!batch) return throwPageFor('bulk_uploads.not_found', context);
  const waiting = batch.taskList.filter(({ status, fileProgress }) => status === 'uploading' && fileProgress === 1);
  return {
    bulkUploadId: batch.bulkUploadId,
    taskIds: waiting.map(({ taskId }) => taskId),
    token: await tokenOf(request, context),
  };
}

export { pageHeaders as headers, unlistedMeta as meta } from '../../http/page';

/** For browsers without JavaScript: more files were chosen than a batch takes. */
export default function BatchChoicePage() {
  const { title, photos, chosen } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  return (
    <SubmitForm method="post" action={`${pathname}${search}`} className="contents">
      <MessagePage
        title={title}
        actions={
          <>
            <SubmitButton kind="primary" name="intent" value="enhance">
              {t('uploadError.go', { rest: photos })}
            </SubmitButton>
            <SubmitButton kind="quiet" name="intent" value="discard">
              {t('cancel')}
            </SubmitButton>
          </>
        }
      >
        <p>{t('uploadError.tooManyFiles.body', { left: photos })}</p>
        <p>{t('uploadError.tooManyFiles.chosen', { chosen })}</p>
      </MessagePage>
    </SubmitForm>
  );
}
