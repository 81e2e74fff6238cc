import { type Task, taskRoutes } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { callApi } from '../../http/api.server';
import { orNull } from '../../http/problem.server';
import { tokenOf } from '../../session/visitor.server';
import { taskViewOf } from '../tasks/task.server';
import { type FilmstripView, filmstripPhotoOf } from './filmstrip-view';

/** Null for a single photo, and when they can't be loaded. */
export async function filmstripOf(
  { bulkUploadId, bulkUploadSize }: Pick<Task, 'bulkUploadId' | 'bulkUploadSize'>,
  request: Request,
  context: AppLoadContext,
): Promise<FilmstripView | null> {
  if (bulkUploadSize === 1) return null;
  const caller = { context, request, token: await tokenOf(request, context) };
  const bulk = await orNull(callApi(taskRoutes.getBulkUpload, { params: { bulkUploadId } }, caller), caller);
  return (
    bulk && {
      batchId: bulkUploadId,
      photos: bulk.taskList.map((task) => filmstripPhotoOf(taskViewOf(task, context))),
    }
  );
}
