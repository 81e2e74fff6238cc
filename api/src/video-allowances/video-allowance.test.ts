import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { objectKeys, VIDEO_CAPS } from '@clearframe/contract';
import { Worker } from 'bullmq';
import { describe, expect, it } from 'vitest';
import { advance } from '../../test/support/billing/customer.js';
import { until } from '../../test/support/until.js';
import {
  announceVideo,
  finishVideo,
  personalOf,
  processVideo,
  startVideo,
  uploadVideo,
  usedOf,
  useVideosFixture,
  videoOf,
  waitForVideo,
} from '../../test/support/videos-fixture.js';

const fixture = useVideosFixture();

const refusalOf = ({ status, body }: { status: number; body: { error_code?: string; details?: object } }) => [
  status,
  body.error_code ?? null,
  body.details ?? null,
];

describe('the limits of a video', () => {
  it.each([
    ['longer than a minute', { duration: 61.02 }, { limit: 'max_length', value: 62, allowed: 60 }],
    ['just longer than a minute', { duration: 60.04 }, { limit: 'max_length', value: 61, allowed: 60 }],
    ['larger than 60 MB', { sizeBytes: 60_050_000 }, { limit: 'max_size_mb', value: 60.1, allowed: 60 }],
  ])('are those of the file, whatever was declared: %s', async (_what, metadata, details) => {
    const { api, worker } = fixture;
    const personal = await personalOf(api);
    worker.metadata = metadata;
    const { video_task_id: id } = await uploadVideo(personal);
    const refusal = [403, 'videos.limit_reached', details];
    expect(refusalOf(await processVideo(personal, id))).toEqual(refusal);
    expect(refusalOf(await processVideo(personal, id))).toEqual(refusal);
    expect(await videoOf(personal, id)).toMatchObject({
      status: 'invalid',
      error_code: 'videos.limit_reached',
      reached_limit: details,
    });
    expect(await usedOf(personal)).toEqual([0, 0]);
    expect(worker.has(id)).toBe(false);
    await until(async () => !(await api.files()).some((key) => key.includes(id)), 'its files to be deleted');
    await startVideo(fixture.business);
  });

  it('name the length of a file that has too many frames, and refuse too many of a short one', async () => {
    const { business, worker } = fixture;
    const frameCount = VIDEO_CAPS.maxFrames + 1;
    worker.metadata = { duration: 1200, frameCount };
    const long = await uploadVideo(business);
    const details = { limit: 'max_length', value: 1200, allowed: 120 };
    expect(refusalOf(await processVideo(business, long.video_task_id))).toEqual([403, 'videos.limit_reached', details]);
    worker.metadata = { duration: 20, frameCount };
    const fast = await uploadVideo(business);
    expect(refusalOf(await processVideo(business, fast.video_task_id))).toEqual([413, 'uploads.too_large', null]);
    expect(await usedOf(business)).toEqual([0, 0]);
  });

  it('are tightened by those of the client, for the file and for the week', async () => {
    const { business, worker } = fixture;
    worker.metadata = { duration: 9.6 };
    for (const limit of ['max_length', 'max_period_length']) {
      const { video_task_id: id } = await uploadVideo(business, { eligibility_limits: { max_length: 200 } });
      await fixture.api.sql(`UPDATE tasks SET video = jsonb_set(video, '{limits}', $2) WHERE id = $1`, [
        id,
        JSON.stringify(limit === 'max_length' ? { maxLength: 9 } : { maxPeriodLength: 9 }),
      ]);
      const details = { limit, value: 10, allowed: 9 };
      expect(refusalOf(await processVideo(business, id))).toEqual([403, 'videos.limit_reached', details]);
    }
  });

  it('let one of two videos pass that together exceed the week', async () => {
    const { api, worker } = fixture;
    const personal = await personalOf(api);
    worker.metadata = { duration: 60, sizeBytes: 60_000_000 };
    for (let index = 0; index < 3; index += 1) await startVideo(personal);
    const ids = await Promise.all([1, 2].map(async () => (await uploadVideo(personal)).video_task_id));
    const answers = await Promise.all(ids.map((id) => processVideo(personal, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 403]);
    expect(await usedOf(personal)).toEqual([240, 240]);
    const { body } = await announceVideo(personal).expect(403);
    expect(body.details).toEqual({ limit: 'max_period_length', value: 250, allowed: 240 });
    const { resets_at: resetsAt } = (await personal.get('/users/@me/video-limits').expect(200)).body;
    const { now } = (await api.http.post('/api/sandbox/clock').send({ advance_seconds: 1, wait: true })).body;
    await advance(api, { seconds: Math.ceil((Date.parse(resetsAt) - Date.parse(now)) / 1000) + 1 });
    expect(await usedOf(personal)).toEqual([0, 0]);
  });

  it('are those of the current plan', async () => {
    const { api, business } = fixture;
    const { video_task_id: id } = await uploadVideo(business);
    const { web_user_id: userId } = await business.me();
    await api.sql('UPDATE users SET is_free = false WHERE id = $1', [userId]);
    expect(refusalOf(await processVideo(business, id))).toEqual([403, 'videos.not_in_plan', null]);
    expect((await videoOf(business, id)).status).toBe('uploading');
  });
});

describe('the use of a video', () => {
  it('is released when it is cancelled, by either route', async () => {
    const { business, worker, api } = fixture;
    for (const path of ['video-tasks', 'tasks']) {
      const id = await startVideo(business);
      const { run } = await worker.waitForJob(id);
      expect(await usedOf(business)).toEqual([0, 10]);
      expect((await business.post(`/${path}/${id}/cancel`).expect(200)).body.status).toBe('cancelled');
      await business.post(`/${path}/${id}/cancel`).expect(200);
      expect(await usedOf(business)).toEqual([0, 0]);
      // The worker is told, and a late report changes nothing.
      expect(await api.redis.exists(`clearframe:cancelled:${run.runId}`)).toBe(1);
      await worker.end(id);
      await until(async () => !(await api.files()).some((key) => key.includes(id)), 'its files to be deleted');
      expect((await videoOf(business, id)).status).toBe('cancelled');
      expect(await usedOf(business)).toEqual([0, 0]);
      expect(refusalOf(await processVideo(business, id))).toEqual([409, 'tasks.wrong_state', { status: 'cancelled' }]);
    }
  });

  it.each([
    ['tasks.timed_out', 'videos.failed'],
    ['tasks.disk_full', 'tasks.disk_full'],
  ] as const)('is released when it fails by %s, and reserved again by a retry', async (errorCode, shown) => {
    const { business, worker } = fixture;
    const id = await startVideo(business);
    await worker.end(id, { kind: 'failed', errorCode });
    expect(await waitForVideo(business, id, 'failed')).toMatchObject({ error_code: shown, result: null });
    expect(await usedOf(business)).toEqual([0, 0]);
    expect((await processVideo(business, id).expect(202)).body).toMatchObject({
      status: 'reprocessing',
      error_code: null,
    });
    expect(await usedOf(business)).toEqual([0, 10]);
    await worker.end(id);
    await waitForVideo(business, id, 'completed');
    expect(await usedOf(business)).toEqual([0, 10]);
    await business.post(`/video-tasks/${id}/cancel`).expect(409);
  });

  it.each(['uploads.undecodable', 'uploads.too_many_pixels'] as const)(
    'is not counted for a file that is rejected: %s',
    async (errorCode) => {
      const { business, worker, api } = fixture;
      worker.refusal = { kind: 'invalid', errorCode };
      const { video_task_id: id } = await uploadVideo(business);
      expect(refusalOf(await processVideo(business, id))).toEqual([422, errorCode, null]);
      expect(await usedOf(business)).toEqual([0, 0]);
      await until(async () => !(await api.files()).some((key) => key.includes(id)), 'its files to be deleted');
    },
  );

  it('is released when a frame turns out to be broken', async () => {
    const { business, worker } = fixture;
    const id = await startVideo(business);
    await worker.end(id, { kind: 'invalid', errorCode: 'uploads.undecodable' });
    expect(await waitForVideo(business, id, 'invalid')).toMatchObject({ error_code: 'uploads.undecodable' });
    expect(await usedOf(business)).toEqual([0, 0]);
  });

  it('is released when a running video is deleted, and committed when a finished one is', async () => {
    const { business, worker, api } = fixture;
    const [finished, running] = [await finishVideo(business, worker), await startVideo(business)];
    await worker.waitForJob(running);
    expect(await usedOf(business)).toEqual([0, 20]);
    await business.delete('/tasks/delete', { task_ids: [running, finished] }).expect(204);
    expect(await usedOf(business)).toEqual([0, 10]);
    await business.get(`/video-tasks/${finished}`).expect(404);
    await worker.end(running);
    await until(async () => (await api.files()).every((key) => !key.includes(running)), 'late files to be deleted');
    expect((await api.files()).filter((key) => key.includes(finished))).toEqual([]);
  });

  it('is erased with the account, also of running videos', async () => {
    const { business, worker, api } = fixture;
    const [finished, running] = [await finishVideo(business, worker), await startVideo(business)];
    await worker.waitForJob(running);
    const { web_user_id: userId } = await business.me();
    const exported = (await business.get('/users/@me/export').expect(200)).body;
    expect(exported.tasks[0]).toMatchObject({
      media_type: 'video',
      output_content_type: 'video/mp4',
      video: { duration: 9.6, declared: { duration: 9.6, width: 1280, height: 720 } },
      outputs: [{ content_type: 'video/mp4' }],
    });
    await business.delete('/users/@me').expect(204);
    await worker.end(running);
    await until(async () => {
      const left = await api.sql('SELECT FROM tasks WHERE user_id = $1', [userId]);
      const files = (await api.files()).filter((key) => key.includes(finished) || key.includes(running));
      return left.length === 0 && files.length === 0;
    }, 'everything to be erased');
    for (const table of ['video_uses', 'runs']) {
      expect(await api.sql(`SELECT FROM ${table} WHERE user_id = $1`, [userId])).toEqual([]);
    }
  });
});

describe('without a worker for videos', () => {
  it('none is accepted while pictures are', async () => {
    const { api, business, worker } = fixture;
    const connection = { url: api.environment.REDIS_URL ?? '', maxRetriesPerRequest: null };
    const pictures = new Worker('images', async () => undefined, { prefix: 'clearframe', connection });
    await pictures.waitUntilReady();
    await announceVideo(business).expect(201);
    await worker.stopVideos();
    const refused = await announceVideo(business).expect(503);
    expect([refused.body.error_code, refused.headers['retry-after']]).toEqual(['videos.unavailable', '60']);
    await pictures.close();
    await announceVideo(business).expect(201);
  });
});

describe('a file that was exchanged', () => {
  it('is not what was declared', async () => {
    const { business, api } = fixture;
    const { video_task_id: id, upload_url: url, upload_headers: headers } = await uploadVideo(business);
    expect(existsSync(api.pathOf(objectKeys.upload(id)))).toBe(true);
    await processVideo(business, id).expect(202);
    // Its address no longer reaches it.
    const late = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(9_000) });
    expect(late.status).toBe(409);
    const forged = new URL(url);
    forged.pathname = forged.pathname.replace(id, randomUUID());
    expect((await fetch(forged, { method: 'PUT', headers, body: new Uint8Array(10) })).status).toBe(403);
    expect((await videoOf(business, id)).status).toBe('processing');
  });
});
