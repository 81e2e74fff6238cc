import {
  ALLOWANCES,
  ARCHIVE_PART,
  type ArchivePart,
  type BulkUpload,
  isErrorCode,
  isFinal,
  MAX_FILES_PER_UPLOAD,
  type Role,
  taskRoutes,
} from '@clearframe/contract';
import { type AppLoadContext, data, type LoaderFunctionArgs } from '@remix-run/node';
import { seeOther } from '../../http/answer.server';
import { callApi } from '../../http/api.server';
import { asApiError } from '../../http/problem.server';
import { formatDeletionTime } from '../../i18n/deletion-time';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { flashOf } from '../../session/account-flashes';
import { consumeFlash, hasFlash } from '../../session/flash.server';
import { fetchMe } from '../../session/me.server';
import { rememberRunning } from '../../session/photos-state.server';
import { tokenOf } from '../../session/visitor.server';
import { formatsIn } from '../downloads/download-view';
import { taskViewOf } from '../tasks/task.server';
import { type BatchView, isPending } from './batch-view';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const bulkUploadIdIn = (request: Request): string => new URL(request.url).searchParams.get('bulkUploadId') ?? '';

/**
 * `?look=` is the photo whose look is applied to the others, `?add` shows the form that adds photos without JavaScript:
 * the page then doesn't refresh itself. An unknown batch is a page with status 404.
 */
export async function loadBatch({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const user = await fetchMe({ request, context });
  const [bulk, t] = await Promise.all([
    readBatch(bulkUploadIdIn(request), request, context),
    translatorFor(request, 'processing'),
  ]);
  // The last photos were deleted: the list shows it.
  if (!bulk && (await hasFlash('deleted', request, context))) {
    throw seeOther('/history', request);
  }
  if (!bulk) return data(MISSING(t('batch.missing.title')), { status: 404 });
  const batch = await batchViewOf(bulk, user?.role ?? 'guest', request, context);
  const flash = flashOf(await consumeFlash({ request, context }));
  const look = searchParams.get('look');
  const problem = searchParams.get('problem');
  const isAdding = searchParams.has('add') && batch.places > 0;
  return {
    batch,
    lookOf: batch.photos.find(({ taskId, output }) => taskId === look && output && !output.isPreview)?.taskId ?? null,
    isAdding,
    problem: problem !== null && isErrorCode(problem) ? problem : null,
    flash,
    title: t('batch.title', { count: batch.photos.length }),
    isRefreshing: look === null && !isAdding && batch.photos.some(isPending),
  };
}

const MISSING = (title: string) => ({
  batch: null,
  lookOf: null,
  isAdding: false,
  problem: null,
  flash: null,
  title,
  isRefreshing: false,
});

export async function loadBatchData({ request, context, params }: LoaderFunctionArgs): Promise<Response> {
  const user = await fetchMe({ request, context }, { keepsSession: true });
  const bulk = await readBatch(params.bulkUploadId ?? '', request, context);
  if (!bulk) return new Response(null, { status: 404 });
  const batch = await batchViewOf(bulk, user?.role ?? 'guest', request, context);
  if (batch.photos.some(isPending)) await rememberRunning({ request, context });
  return Response.json(batch);
}

export async function readBatch(
  bulkUploadId: string,
  request: Request,
  context: AppLoadContext,
): Promise<BulkUpload | null> {
  const token = await tokenOf(request, context);
  if (!token || !UUID.test(bulkUploadId)) return null;
  try {
    return await callApi(taskRoutes.getBulkUpload, { params: { bulkUploadId } }, { context, request, token });
  } catch (error) {
    if (asApiError(error, { request, context }).code === 'bulk_uploads.not_found') return null;
    throw error;
  }
}

async function batchViewOf(
  { bulkUploadId, taskList }: BulkUpload,
  role: Role,
  request: Request,
  context: AppLoadContext,
): Promise<BatchView> {
  const hasEnded = taskList.every(({ status }) => isFinal(status));
  const [first = ''] = taskList.map(({ expiresAt }) => expiresAt).sort();
  return {
    bulkUploadId,
    photos: taskList.map((task) => taskViewOf(task, context)),
    places: hasEnded || !ALLOWANCES[role].batch ? 0 : Math.max(0, MAX_FILES_PER_UPLOAD - taskList.length),
    hasEnded,
    formats: formatsIn(role),
    parts:
      hasEnded && taskList.length > ARCHIVE_PART.maxPictures ? await readParts(bulkUploadId, request, context) : [],
    deletion: formatDeletionTime(first, new Date(), await languageOf(request)),
  };
}

/** None while there is no result, or a file is still encoded. */
async function readParts(bulkUploadId: string, request: Request, context: AppLoadContext): Promise<ArchivePart[]> {
  const token = await tokenOf(request, context);
  if (!token) return [];
  try {
    const input = { params: { bulkUploadId }, query: {} };
    const { data: parts } = await callApi(taskRoutes.listBulkUploadArchiveParts, input, { context, request, token });
    return parts.length > 1 ? parts : [];
  } catch (error) {
    const { code } = asApiError(error, { request, context });
    if (code === 'tasks.wrong_state' || code === 'service.unavailable') return [];
    throw error;
  }
}
