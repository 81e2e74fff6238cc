import { type UploadTarget, VIDEO_CONTENT_TYPES, type VideoContentType, videoRoutes } from '@clearframe/contract';
import { ApiError, type Caller, callApi } from '../../http/api.server';
import type { VideoMetadata } from '../media-files/video-metadata';
import { sanitizeFileName } from './file-name.server';
import type { FileInfo } from './upload.server';

/** Creates a video in the backend, with the address to send its file to. @throws ApiError */
export async function requestVideo(
  file: FileInfo & { readonly size: number },
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
const videoTypeOf = ({ type, name }: FileInfo): VideoContentType =>
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
