import {
  type ErrorCode,
  IMAGE_LIMITS,
  type ImageInput,
  isErrorCode,
  taskRoutes,
  type UploadTarget,
} from '@clearframe/contract';
import { ApiError, type Caller, callApi } from '../../http/api.server';
import { declaredTypeOf } from '../media-files/file-types';
import { sanitizeFileName } from './file-name.server';

export interface FileInfo {
  readonly name: string;
  readonly type: string;
  /** In bytes; unknown for streamed files. */
  readonly size?: number;
}

export interface RequestedUpload {
  readonly bulkUploadId: string;
  readonly targets: readonly UploadTarget[];
}

/** Creates an upload in the backend, with the URLs to send the files to. */
export async function requestUpload(files: readonly FileInfo[], caller: Caller): Promise<RequestedUpload> {
  const inputTaskList = files.map((file) => imageInputOf(file, caller));
  const [single] = inputTaskList;
  // Only plans with batches may send a list.
  const body = inputTaskList.length === 1 && single ? single : { inputTaskList };
  const { bulkUploadId, taskList } = await callApi(taskRoutes.createBulkUpload, { body }, caller);
  return { bulkUploadId, targets: taskList };
}

export async function requestAddition(
  bulkUploadId: string,
  files: readonly FileInfo[],
  caller: Caller,
): Promise<RequestedUpload> {
  const inputTaskList = files.map((file) => imageInputOf(file, caller));
  const { taskList } = await callApi(
    taskRoutes.addToBulkUpload,
    { params: { bulkUploadId }, body: { inputTaskList } },
    caller,
  );
  return { bulkUploadId, targets: taskList };
}

/** @throws ApiError for a file that the backend would reject */
function imageInputOf(file: FileInfo, { context }: Caller): ImageInput {
  const refuse = (code: ErrorCode): never => {
    throw ApiError.of(code, context.requestId);
  };
  const imageContentType = declaredTypeOf(file.type, file.name) ?? refuse('uploads.unsupported_type');
  if (file.size === 0) refuse('uploads.empty');
  if (file.size !== undefined && file.size > IMAGE_LIMITS.maxBytes) refuse('uploads.too_large');
  return { imageContentType, fileName: sanitizeFileName(file.name), sizeBytes: file.size };
}

/** @throws ApiError also for a file that is stored, but unacceptable */
export async function startProcessing(bulkUploadId: string, taskId: string, caller: Caller): Promise<void> {
  const { taskList } = await callApi(
    taskRoutes.processBulkUpload,
    { params: { bulkUploadId }, body: { taskIds: [taskId] } },
    caller,
  );
  const task = taskList.find((candidate) => candidate.taskId === taskId);
  if (!task) throw ApiError.of('tasks.not_found', caller.context.requestId);
  if (task.status !== 'invalid') return;
  const code = task.errorCode && isErrorCode(task.errorCode) ? task.errorCode : 'uploads.missing';
  throw ApiError.of(code, caller.context.requestId);
}

/** Cancels an upload. Failures are only logged: the backend deletes abandoned uploads. */
export async function cancelUpload(taskId: string, { context, token }: Caller): Promise<void> {
  try {
    // Without `request`, whose signal has usually aborted.
    await callApi(taskRoutes.cancelTask, { params: { taskId } }, { context, token });
  } catch (error) {
    context.logger.warn({ err: error, taskId }, 'cancelling an upload failed');
  }
}
