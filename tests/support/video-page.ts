import { type VideoPipeline, videoRoutes } from '@clearframe/contract';
import type { Locator, Page } from 'playwright-core';
import { type ApiClient, ApiError } from './api-client.ts';
import { until } from './product/until.ts';

/** Limit of tests that wait for a video, which end earlier when it makes no progress. */
export const VIDEO_TEST_TIMEOUT_MS = 900_000;

const ENDED = 'ended';

/** Waits for a part of the result for as long as the page reports new progress. */
export async function untilEnhanced(page: Page, result: Locator): Promise<void> {
  const read = async () =>
    (await result.first().isVisible()) ? ENDED : (await page.locator('.stage-status').allTextContents()).join();
  for (let told = ''; told !== ENDED; ) {
    told = await until(
      'the video makes progress',
      async () => {
        // Without scripts the page refreshes itself and may do so while it is read.
        const text = await read().catch(() => told);
        return text !== told && text;
      },
      // Videos of other tests may be before it.
      { deadlineMs: VIDEO_TEST_TIMEOUT_MS / 2 },
    );
  }
}

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
