import { type VideoPipeline, videoRoutes } from '@clearframe/contract';
import { type ApiClient, ApiError } from './api-client.ts';

/** Uploads a video without processing it. Returns its id. */
export async function uploadVideo(account: ApiClient, bytes: Buffer, aiPipeline?: VideoPipeline): Promise<string> {
  const { videoTaskId, uploadUrl, uploadHeaders } = await account.call(videoRoutes.createVideoTask, {
    body: { videoContentType: 'video/mp4', eligibilityLimits: {}, videoMetadata: { size: bytes.length }, aiPipeline },
  });
  const sent = await fetch(uploadUrl, { method: 'PUT', headers: uploadHeaders, body: new Uint8Array(bytes) });
  if (!sent.ok) throw await ApiError.of(sent);
  return videoTaskId;
}

/** Returns the id of the video, which is being enhanced or waits for it. */
export async function submitVideo(account: ApiClient, bytes: Buffer, aiPipeline?: VideoPipeline): Promise<string> {
  const videoTaskId = await uploadVideo(account, bytes, aiPipeline);
  await account.call(videoRoutes.processVideoTask, { params: { videoTaskId } });
  return videoTaskId;
}
