import { expect, it } from 'vitest';
import { KeyClient, refusalOf } from '../../test/support/key-client.js';
import { video } from '../../test/support/pictures.js';
import { until } from '../../test/support/until.js';
import { useVideosFixture, waitForVideo } from '../../test/support/videos-fixture.js';
import { put } from '../../test/support/visitor.js';

const fixture = useVideosFixture();

async function start(key: KeyClient) {
  const bytes = video.mp4();
  const { body } = await key
    .post('/video-tasks', { video_content_type: 'video/mp4', video_metadata: { size: bytes.length } })
    .expect(201);
  await put(body, bytes);
  const id: string = body.video_task_id;
  return { id, pending: key.post(`/video-tasks/${id}/process`) };
}

it('videos of a key are counted when they end, and towards its month when they start', async () => {
  const { api, business, worker } = fixture;
  const key = await KeyClient.of(api, business, { limits: { per_month: 2 } });
  const rows = async () => (await key.get('/usage').expect(200)).body.data;
  const made = await start(key);
  await made.pending.expect(202);
  expect(await rows()).toEqual([]);
  await worker.end(made.id);
  await waitForVideo(business, made.id, 'completed');
  expect(await rows()).toMatchObject([{ pictures: 0, videos: 1, megapixels: 0, failed: 0 }]);
  const failing = await start(key);
  await failing.pending.expect(202);
  const refused = await start(key);
  expect(await refusalOf(refused.pending)).toEqual([429, 'plugin_keys.month_exhausted']);
  await worker.end(failing.id, { kind: 'failed', errorCode: 'tasks.failed' });
  await waitForVideo(business, failing.id, 'failed');
  await until(async () => (await rows())[0]?.failed === 1, 'the failure');
  await key.post(`/video-tasks/${refused.id}/process`).expect(202);
});
