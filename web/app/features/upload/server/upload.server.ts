import { type ErrorCode, IMAGE_LIMITS, taskRoutes, type UploadTarget } from '@clearframe/contract';
import { ApiError, type Caller, callApi } from '../../../http/api.server';
import { asVisitor, type Exchange } from '../../../session/visitor.server';
import { declaredTypeOf } from './declared-type.server';
import { sanitizeFileName } from './file-name.server';
import { type IncomingFile, MalformedFormError, readFirstFile } from './multipart.server';
import { sendBytes } from './send-bytes.server';

export interface FileInfo {
  readonly name: string;
  /** The browser's content type; may be empty or wrong. */
  readonly type: string;
  /** In bytes; unknown for streamed files. */
  readonly size?: number;
}

export interface RequestedUpload {
  readonly bulkUploadId: string;
  readonly target: UploadTarget;
}

/** Creates an upload in the backend, with the URL to send the file to. */
export async function requestUpload(file: FileInfo, caller: Caller): Promise<RequestedUpload> {
  const refuse = (code: ErrorCode): never => {
    throw ApiError.of(code, caller.context.requestId);
  };
  const imageContentType = declaredTypeOf(file.type, file.name) ?? refuse('uploads.unsupported_type');
  if (file.size === 0) refuse('uploads.empty');
  if (file.size !== undefined && file.size > IMAGE_LIMITS.maxBytes) refuse('uploads.too_large');
  const { bulkUploadId, taskList } = await callApi(
    taskRoutes.createBulkUpload,
    { body: { imageContentType, fileName: sanitizeFileName(file.name), sizeBytes: file.size } },
    caller,
  );
  return { bulkUploadId, target: taskList[0] ?? refuse('service.internal') };
}

/** @returns the id of the task */
export async function startProcessing(bulkUploadId: string, caller: Caller): Promise<string> {
  const { taskList } = await callApi(taskRoutes.processBulkUpload, { params: { bulkUploadId } }, caller);
  const [task] = taskList;
  if (!task) throw ApiError.of('service.internal', caller.context.requestId);
  return task.taskId;
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

/**
 * Uploads the form's file and starts processing; for browsers without JavaScript.
 * @returns the id of the task
 */
export async function uploadFromForm(exchange: Exchange): Promise<string> {
  const { request, context } = exchange;
  try {
    const taskId = await readFirstFile(request, (file) => uploadFile(file, exchange));
    if (taskId) return taskId;
  } catch (error) {
    if (error instanceof MalformedFormError) throw ApiError.of('uploads.incomplete', context.requestId, error);
    throw error;
  }
  throw ApiError.of('uploads.missing', context.requestId);
}

/** Streams a file to the backend and starts processing. */
async function uploadFile(file: IncomingFile, { request, context, headers }: Exchange): Promise<string> {
  const { result, token } = await asVisitor(request, context, headers, (token) =>
    requestUpload(file, { context, request, token }),
  );
  const caller: Caller = { context, request, token };
  try {
    await sendBytes(result.target, file.bytes, context);
    return await startProcessing(result.bulkUploadId, caller);
  } catch (error) {
    await cancelUpload(result.target.taskId, caller);
    throw error;
  }
}
