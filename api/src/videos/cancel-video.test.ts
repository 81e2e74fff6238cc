import { ObjectStore } from '@clearframe/runtime/storage';
import { Client } from 'pg';
import { expect, it, vi } from 'vitest';
import { runScheduled } from '../../test/support/scheduled.js';
import { startVideo, useVideosFixture, videoOf, waitForVideo } from '../../test/support/videos-fixture.js';

const fixture = useVideosFixture();

it('is cancelled, and its worker told, while other runs are being dispatched', async () => {
  const { api, business, worker } = fixture;
  const id = await startVideo(business);
  const { run } = await worker.waitForJob(id);
  const holder = new Client({ connectionString: api.environment.DATABASE_URL });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    for (const queue of ['renders', 'videos'])
      await holder.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`dispatch:${queue}`]);
    expect((await business.post(`/video-tasks/${id}/cancel`).expect(200)).body.status).toBe('cancelled');
    expect(await api.redis.exists(`clearframe:cancelled:${run.runId}`)).toBe(1);
    await holder.query('ROLLBACK');
  } finally {
    await holder.end();
  }
  await worker.end(id);
});

it('is waited for until it has ended', async () => {
  const { business, worker } = fixture;
  const wait = (id: string) => business.get(`/video-tasks/${id}`).set({ prefer: 'wait=60' });
  const id = await startVideo(business);
  const [{ body, headers }] = await Promise.all([wait(id).expect(200), worker.end(id)]);
  expect([body.status, headers['preference-applied']]).toEqual(['completed', 'wait=60']);
  expect(body.result.output_url).toContain(id);
  await wait((await business.process()).task_id).expect(404);
});

it('has no frame to show once its files are deleted, whether it was cancelled or could not be read', async () => {
  const { business, worker } = fixture;
  const cancelled = await startVideo(business);
  await worker.waitForJob(cancelled);
  expect((await videoOf(business, cancelled)).poster_url).not.toBeNull();
  await business.post(`/video-tasks/${cancelled}/cancel`).expect(200);
  await worker.end(cancelled);
  const invalid = await startVideo(business);
  await worker.end(invalid, { kind: 'invalid', errorCode: 'uploads.undecodable' });
  await waitForVideo(business, invalid, 'invalid');
  for (const id of [cancelled, invalid]) {
    const { display } = await business.task(id);
    expect([display.input_url, display.thumbnail_url, display.input_thumbnail_url]).toEqual([null, null, null]);
    expect((await videoOf(business, id)).poster_url).toBeNull();
  }
});

it('is cancelled while the store fails, and its files are deleted later', async () => {
  const { api, business, worker } = fixture;
  const id = await startVideo(business);
  await worker.waitForJob(id);
  const filesOf = async () => (await api.files()).filter((key) => key.includes(id));
  const failing = vi.spyOn(api.app.get(ObjectStore), 'delete').mockRejectedValueOnce(new Error('the store is away'));
  expect((await business.post(`/video-tasks/${id}/cancel`).expect(200)).body.status).toBe('cancelled');
  failing.mockRestore();
  await worker.end(id);
  expect(await filesOf()).not.toEqual([]);
  await runScheduled(api, 'retention.media');
  expect(await filesOf()).toEqual([]);
  expect((await videoOf(business, id)).status).toBe('cancelled');
});
