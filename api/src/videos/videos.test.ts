import { objectKeys } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { notVideos, picture, video } from '../../test/support/pictures.js';
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
import { put } from '../../test/support/visitor.js';

const fixture = useVideosFixture();

describe('POST /video-tasks', () => {
  it('returns the address for the file', async () => {
    const { body } = await announceVideo(fixture.business).expect(201);
    expect(body).toMatchObject({ status: 'started', resumable_url: null, upload_headers: expect.any(Object) });
    expect(await videoOf(fixture.business, body.video_task_id)).toMatchObject({
      status: 'started',
      file_progress: 0,
      ai_pipeline: { face_enhance: { model: 'base' }, background_enhance: { model: 'base' } },
      input: { file_name: 'clip.mp4', content_type: 'video/mp4', width: null, duration: null, sha256: null },
      plan: null,
      preview: null,
      result: null,
    });
    const large = await announceVideo(fixture.business, {}, { size: 8_000_001 }).expect(201);
    expect(large.body.resumable_url).toContain('/media/resumable/');
  });

  it('is refused for guests and base, and makes nothing', async () => {
    for (const visitor of [await fixture.api.guest(), await fixture.api.member()]) {
      const { body } = await announceVideo(visitor).expect(403);
      expect(body.error_code).toBe('videos.not_in_plan');
      expect((await visitor.get('/tasks').expect(200)).body.data).toEqual([]);
    }
    const bulkUploads = await fixture.api.sql(
      'SELECT FROM bulk_uploads WHERE user_id NOT IN (SELECT user_id FROM tasks)',
    );
    expect(bulkUploads).toEqual([]);
  });

  it('is refused over a limit of the plan, rounded as the plan says, and makes nothing', async () => {
    const personal = await personalOf(fixture.api);
    const refused: [object, object, object][] = [
      [{}, { size: 60_050_000 }, { limit: 'max_size_mb', value: 60.1, allowed: 60 }],
      [{}, { duration: 60.01 }, { limit: 'max_length', value: 61, allowed: 60 }],
      [{ eligibility_limits: { max_length: 5 } }, {}, { limit: 'max_length', value: 10, allowed: 5 }],
      [{ eligibility_limits: { max_length: 500 } }, { duration: 61 }, { limit: 'max_length', value: 61, allowed: 60 }],
    ];
    for (const [input, meta, details] of refused) {
      const { body } = await announceVideo(personal, input, meta).expect(403);
      expect(body).toMatchObject({ error_code: 'videos.limit_reached', details });
    }
    expect((await personal.get('/tasks').expect(200)).body.data).toEqual([]);
    await announceVideo(personal, {}, { size: 60_049_999, duration: 60 }).expect(201);
    await announceVideo(fixture.business, {}, { size: 120_049_999, duration: 61 }).expect(201);
  });

  it('accepts the tools of videos only, as the plan has them', async () => {
    const personal = await personalOf(fixture.api);
    const look = { ai_pipeline: { color_enhance: { model: 'golden' } } };
    expect((await announceVideo(personal, look).expect(403)).body.error_code).toBe('pipeline.not_in_plan');
    await announceVideo(fixture.business, look).expect(201);
    for (const tool of [{ bokeh: { model: 'low' } }, { face_lifting: { model: 'glam' } }, { upscale: { factor: 2 } }]) {
      const { body } = await announceVideo(fixture.business, { ai_pipeline: tool }).expect(422);
      expect(body.error_code).toBe('request.invalid');
    }
  });
});

describe('the file of a video', () => {
  it.each(Object.entries(notVideos))('%s is refused with 415', async (_name, bytes) => {
    const { body } = await announceVideo(fixture.business, {}, { size: bytes.length }).expect(201);
    const response = await put(body, bytes);
    const { error_code: code } = (await response.json()) as { error_code: string };
    expect([response.status, code]).toEqual([415, 'uploads.unsupported_type']);
    const refused = await processVideo(fixture.business, body.video_task_id).expect(415);
    expect(refused.body.error_code).toBe('uploads.unsupported_type');
    expect(await usedOf(fixture.business)).toEqual([0, 0]);
  });

  it('has the standard tools where the request names none, whatever is saved for photos', async () => {
    const business = await fixture.api.business();
    const toolsOf = async (input: object = {}) => {
      const { body } = await announceVideo(business, input).expect(201);
      return (await videoOf(business, body.video_task_id)).ai_pipeline;
    };
    const standard = { face_enhance: { model: 'base' }, background_enhance: { model: 'base' } };
    for (const default_ai_pipeline of [{ color_enhance: { model: 'teal' } }, {}]) {
      await business.put('/users/@me/preferences/override', { preferences: { default_ai_pipeline } }).expect(200);
      expect(await toolsOf()).toEqual(standard);
      expect(await toolsOf({ ai_pipeline: null })).toEqual(standard);
    }
    expect(await toolsOf({ ai_pipeline: {} })).toEqual({});
  });

  it('may not be that of a picture, and the other way round', async () => {
    const announced = await fixture.business.announce();
    expect((await put(announced, video.mp4())).status).toBe(415);
    expect((await put(announced, picture.jpeg())).status).toBe(200);
  });

  it('has the type of its bytes, whatever was declared', async () => {
    const { video_task_id: id } = await uploadVideo(fixture.business, {}, video.mov());
    const { body } = await processVideo(fixture.business, id).expect(202);
    expect(body.input).toMatchObject({
      content_type: 'video/quicktime',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('is no larger than the plan allows, and as large as declared', async () => {
    const { body } = await announceVideo(fixture.business, {}, { size: 8_999 }).expect(201);
    expect((await put(body, video.mp4())).status).toBe(422);
    const max = new URL(body.upload_url).searchParams.get('max');
    expect(Number(max)).toBe(120_049_999);
    expect((await processVideo(fixture.business, body.video_task_id).expect(422)).body.error_code).toBe(
      'uploads.size_mismatch',
    );
    const missing = await announceVideo(fixture.business).expect(201);
    await processVideo(fixture.business, missing.body.video_task_id).expect(409);
  });
});

describe('a video', () => {
  it('is read, planned, enhanced and shown with its files', async () => {
    const { business, worker, api } = fixture;
    const { video_task_id: id } = await uploadVideo(business);
    const { body } = await processVideo(business, id).expect(202);
    expect(body).toMatchObject({
      status: 'processing',
      progress: 0,
      input: { width: 1280, height: 720, duration: 9.6, frame_rate: 25, size_bytes: 9_000 },
      plan: { recipe: 'faces', estimated_seconds: 40 },
      result: null,
    });
    expect(await fetch(body.poster_url)).toMatchObject({ status: 200 });
    const { run } = await worker.waitForJob(id);
    expect(run).toMatchObject({ inputKey: objectKeys.input(id), maxSide: 1920, metadata: { frameCount: 240 } });
    await worker.end(id);
    const done = await waitForVideo(business, id, 'completed');
    expect(done).toMatchObject({
      progress: 1,
      remaining_seconds: null,
      preview: null,
      result: {
        width: 1280,
        duration: 9.6,
        notes: ['subtitles_dropped'],
        faces_followed: 2,
        recipe: { name: 'faces' },
      },
    });
    for (const url of ['input_url', 'output_url', 'poster_url', 'display_input_url'])
      expect([url, (await fetch(done.result[url])).status]).toEqual([url, 200]);
    const download = await fetch(`${done.result.output_url}&download=1`, { headers: { range: 'bytes=0-9' } });
    expect([download.status, download.headers.get('content-type')]).toEqual([206, 'video/mp4']);
    expect(download.headers.get('content-disposition')).toContain('clip-clearframe.mp4');
    expect(await usedOf(business)).toEqual([0, 10]);
    expect(await api.files()).toContain(objectKeys.input(id));
  });

  it('shows its progress, which never decreases, the remaining time and a frame', async () => {
    const { business, worker } = fixture;
    const id = await startVideo(business);
    const other = await startVideo(business);
    const { run } = await worker.waitForJob(id);
    const previewKeys = {
      input: objectKeys.videoPreview(id, run.runId, 25, 'input'),
      output: objectKeys.videoPreview(id, run.runId, 25, 'output'),
    };
    for (const key of Object.values(previewKeys)) await worker.store(key, picture.jpeg());
    await worker.reportProgress(id, { progress: 0.02 });
    const early = await until(async () => {
      const task = await videoOf(business, id);
      return task.progress > 0 && task;
    }, 'the first progress');
    expect(early).toMatchObject({ queue_wait_num: 0, preview: null });
    expect(early.remaining_seconds).toBeGreaterThan(30);
    await worker.reportProgress(id, { progress: 0.5, previewKeys });
    const shown = await until(async () => {
      const task = await videoOf(business, id);
      return task.preview && task;
    }, 'a preview');
    expect(shown.progress).toBe(0.5);
    for (const url of Object.values<string>(shown.preview)) expect((await fetch(url)).status).toBe(200);
    await worker.reportProgress(id, { progress: 0.1 });
    await worker.reportProgress(id, { progress: 0.51 });
    await until(async () => (await videoOf(business, id)).progress === 0.51, 'the next progress');
    expect((await videoOf(business, id)).preview).not.toBeNull();
    expect((await videoOf(business, other)).queue_wait_num).toBe(1);
  });

  it('is processed once, however often', async () => {
    const { business, worker } = fixture;
    const { video_task_id: id } = await uploadVideo(business);
    const answers = await Promise.all([1, 2, 3].map(() => processVideo(business, id)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(await usedOf(business)).toEqual([0, 10]);
    await worker.end(id);
    await waitForVideo(business, id, 'completed');
    expect((await processVideo(business, id).expect(202)).body.status).toBe('completed');
    expect(worker.probes).toHaveLength(1);
    expect(await usedOf(business)).toEqual([0, 10]);
  });

  it('of another user, and a picture, are unknown', async () => {
    const id = await finishVideo(fixture.business, fixture.worker);
    const other = await fixture.api.business();
    const { task_id: pictureId } = await fixture.business.upload();
    for (const [visitor, unknown] of [
      [other, id],
      [fixture.business, pictureId],
    ] as const) {
      await visitor.get(`/video-tasks/${unknown}`).expect(404);
      await visitor.post(`/video-tasks/${unknown}/process`).expect(404);
      await visitor.post(`/video-tasks/${unknown}/cancel`).expect(404);
    }
    await other.get(`/tasks/${id}`).expect(404);
    await other.put(`/tasks/${id}/export`).expect(404);
    await other.post(`/tasks/${id}/share`).expect(404);
    const { body } = await other.delete('/tasks/delete', { task_ids: [id] }).expect(200);
    expect(body.not_found).toEqual([id]);
  });
});
