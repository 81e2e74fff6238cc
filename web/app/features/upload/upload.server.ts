import {
  type ErrorCode,
  IMAGE_LIMITS,
  type ImageInput,
  isErrorCode,
  taskRoutes,
  type UploadTarget,
  VIDEO_CONTENT_TYPES,
  type VideoContentType,
  videoRoutes,
} from '@clearframe/contract';
import { ApiError, type Caller, callApi } from '../../http/api.server';
import { declaredTypeOf, type FileInfo, type NamedFile } from './file-types';
import type { VideoMetadata } from './video-metadata';

/** The size of a streamed file is unknown. */
export type AnnouncedFile = NamedFile & Partial<FileInfo>;

export interface RequestedUpload {
  readonly bulkUploadId: string;
  readonly targets: readonly UploadTarget[];
}

/** Creates an upload in the backend, with the URLs to send the files to. */
export async function requestUpload(files: readonly AnnouncedFile[], caller: Caller): Promise<RequestedUpload> {
  const inputTaskList = files.map((file) => imageInputOf(file, caller));
  const [single] = inputTaskList;
  // Only plans with batches may send a list.
  const body = inputTaskList.length === 1 && single ? single : { inputTaskList };
  const { bulkUploadId, taskList } = await callApi(taskRoutes.createBulkUpload, { body }, caller);
  return { bulkUploadId, targets: taskList };
}

export async function requestAddition(
  bulkUploadId: string,
  files: readonly AnnouncedFile[],
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
function imageInputOf(file: AnnouncedFile, { context }: Caller): ImageInput {
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

/** Creates a video in the backend, with the address to send its file to. @throws ApiError */
export async function requestVideo(
  file: FileInfo,
  metadata: VideoMetadata | null,
  caller: Caller,
): Promise<UploadTarget> {
  if (file.size === 0) throw ApiError.of('uploads.empty', caller.context.requestId);
  const body = {
    videoContentType: videoTypeOf(file),
    eligibilityLimits: {},
    videoMetadata: { fileName: sanitizeFileName(file.name), size: file.size, ...metadata },
  };
  const { videoTaskId, ...target } = await callApi(videoRoutes.createVideoTask, { body }, caller);
  return { ...target, taskId: videoTaskId };
}

/** The backend reads the type from the bytes. */
const videoTypeOf = ({ type, name }: NamedFile): VideoContentType =>
  VIDEO_CONTENT_TYPES.find((one) => one === type) ?? (/\.mov$/i.test(name) ? 'video/quicktime' : 'video/mp4');

/** @throws ApiError also for a stored file that is over a limit or can't be read */
export async function startVideo(videoTaskId: string, caller: Caller): Promise<void> {
  await callApi(
    videoRoutes.processVideoTask,
    { params: { videoTaskId } },
    { ...caller, timeoutMs: PROCESS_TIMEOUT_MS },
  );
}

/** The backend waits until the file has been read. */
export const PROCESS_TIMEOUT_MS = 60_000;

/** The backend's limit, in UTF-16 code units. */
const MAX_LENGTH = 255;

/** Removes folders and control characters and shortens the stem of long names. Undefined when nothing is left. */
export function sanitizeFileName(name: string): string | undefined {
  const base = name
    .slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    .replace(/\p{Cc}/gu, '')
    .trim();
  if (base.length <= MAX_LENGTH) return base || undefined;
  const dot = base.lastIndexOf('.');
  const extension = dot > 0 && base.length - dot <= 10 ? base.slice(dot) : '';
  // Removes half of a surrogate pair.
  const stem = base.slice(0, MAX_LENGTH - extension.length - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${stem}…${extension}`;
}
