import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { videoRoutes, webhookRoutes } from '@clearframe/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { webhooks } from '../../../client/src/webhooks.ts';
import { ApiClient } from '../../support/api-client.ts';
import { createClip } from '../../support/clip.ts';
import { subscribe } from '../../support/payments/purchases.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { until } from '../../support/product/until.ts';
import { VIDEO_TEST_TIMEOUT_MS } from '../../support/video-page.ts';

const product = sharedProduct();
interface Video {
  readonly result: { readonly output_url: string } | null;
}

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const received: Received[] = [];
const receiver = createServer(async (request, reply) => {
  received.push({ headers: request.headers, body: await text(request) });
  reply.end();
});
beforeAll(() => new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => receiver.close(resolve)));

it('tells the address of the request how a video ended', { timeout: VIDEO_TEST_TIMEOUT_MS }, async () => {
  const account = await ApiClient.logIn(product.url, `${randomUUID()}@example.com`);
  await subscribe(account, 'business');
  const { secret } = await account.call(webhookRoutes.rollCallbackSecret, {});
  const send = async (bytes: Buffer): Promise<string> => {
    const { videoTaskId, uploadUrl, uploadHeaders } = await account.call(videoRoutes.createVideoTask, {
      body: {
        videoContentType: 'video/mp4',
        eligibilityLimits: {},
        videoMetadata: { size: bytes.length },
        aiPipeline: { backgroundEnhance: { model: 'base' } },
        callbackUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
      },
    });
    const sent = await fetch(uploadUrl, { method: 'PUT', headers: uploadHeaders, body: new Uint8Array(bytes) });
    expect(sent.status).toBe(200);
    return videoTaskId;
  };
  const clip = await createClip({ seconds: 1, size: '160x90' });
  const [enhanced, cut] = [await send(clip), await send(clip.subarray(0, 3_000))];
  await account.call(videoRoutes.processVideoTask, { params: { videoTaskId: enhanced } });
  await expect(account.call(videoRoutes.processVideoTask, { params: { videoTaskId: cut } })).rejects.toMatchObject({
    problem: { error_code: 'uploads.undecodable' },
  });
  await until('both are told', async () => received.length >= 2);
  const events = await Promise.all(received.map(({ body, headers }) => webhooks.verify<Video>(body, headers, secret)));
  const [completed, failed] = events.toSorted((a, b) => a.type.localeCompare(b.type));
  expect([failed, completed]).toMatchObject([
    { type: 'video.failed', data: { video_task_id: cut, status: 'invalid', error_code: 'uploads.undecodable' } },
    { type: 'video.completed', data: { video_task_id: enhanced, status: 'completed', error_code: null } },
  ]);
  const result = await fetch(completed?.data.result?.output_url ?? '');
  expect([result.status, result.headers.get('content-type')]).toEqual([200, 'video/mp4']);
});
