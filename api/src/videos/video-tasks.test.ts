import { BASE_PATH, objectKeys, PACK_EXPORTS } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { notVideos, video } from '../../test/support/pictures.js';
import { until } from '../../test/support/until.js';
import { patch } from '../../test/support/uploads/tus-client.js';
import {
  finishVideo,
  personalOf,
  processVideo,
  startVideo,
  useVideosFixture,
  videoOf,
  waitForVideo,
} from '../../test/support/videos-fixture.js';
import type { Visitor } from '../../test/support/visitor.js';

const fixture = useVideosFixture();

describe('a video among tasks', () => {
  it('is listed by its kind, with the first frame to show', async () => {
    const { business, worker } = fixture;
    const id = await finishVideo(business, worker, { video_content_type: 'video/quicktime' });
    const { task_id: pictureId } = await business.upload();
    const idsOf = async (query: string) =>
      (await business.get(`/tasks${query}`).expect(200)).body.data.map(({ task_id }: { task_id: string }) => task_id);
    expect(await idsOf('')).toEqual([pictureId, id]);
    expect(await idsOf('?media_type=video')).toEqual([id]);
    expect(await idsOf('?media_type=video&status=completed')).toEqual([id]);
    expect(await idsOf('?media_type=video&status=failed')).toEqual([]);
    expect(await idsOf('?media_type=image')).toEqual([pictureId]);
    expect(await idsOf('?media_type=image&status=completed')).toEqual([]);
    expect(await idsOf(`?media_type=image&ending_before=${id}`)).toEqual([pictureId]);
    const task = await business.task(id);
    expect(task).toMatchObject({
      media_type: 'video',
      status: 'completed',
      output_content_type: 'video/mp4',
      bulk_upload_size: 1,
      has_watermark: false,
      input: { content_type: 'video/mp4', duration: 9.6, width: 1280, height: 720 },
      display: { width: 1280, height: 720 },
      result: { outputs: [{ content_type: 'video/mp4', is_preview: false, faces: [], changes: null }] },
    });
    for (const url of ['thumbnail_url', 'input_thumbnail_url', 'input_url', 'output_url']) {
      const response = await fetch(task.display[url]);
      expect([url, response.status, response.headers.get('content-type')]).toEqual([url, 200, 'image/jpeg']);
    }
  });

  it('is exported without a charge, and is rejected by routes for pictures', async () => {
    const { api, worker } = fixture;
    const personal = await personalOf(api);
    const id = await startVideo(personal);
    await personal.put(`/tasks/${id}/export`).expect(409);
    await worker.end(id);
    await until(async () => (await videoOf(personal, id)).result, 'the result');
    const exportsOf = async () => (await personal.me()).limits.exports_used;
    const before = await exportsOf();
    for (let times = 0; times < 2; times += 1) {
      const { body } = await personal.put(`/tasks/${id}/export`).expect(200);
      expect(body.status).toBe('exported');
      const bytes = Buffer.from(await (await fetch(body.result.outputs[0].url)).arrayBuffer());
      expect(bytes).toHaveLength(5_000);
    }
    expect(await exportsOf()).toBe(before);
    const { bulk_upload_id: bulkId } = await personal.task(id);
    await personal.get(`/tasks/bulk-upload/${bulkId}`).expect(404);
    await personal.post(`/tasks/bulk-upload/${bulkId}/process`).expect(404);
    await personal
      .post(`/tasks/bulk-upload/${bulkId}`, { input_task_list: [{ image_content_type: 'image/png' }] })
      .expect(404);
    const again = { input_reprocess_list: [{ client_task_id: id }] };
    await personal.post(`/tasks/bulk-upload/${bulkId}/reprocess`, again).expect(404);
    await personal.post(`/tasks/${id}/convert`, { output_content_type: 'image/jpeg' }).expect(409);
    await personal.post(`/tasks/${id}/looks`).expect(409);
    const checkout = {
      price_id: 'single_export_usd',
      client_task_id: id,
      unlocked_exports: PACK_EXPORTS.single_export,
    };
    expect((await personal.post('/checkouts', checkout)).status).toBeGreaterThanOrEqual(400);
    expect((await videoOf(personal, id)).status).toBe('exported');
  });

  it('is archived under its own name', async () => {
    const { api, business, worker } = fixture;
    const ids = [await finishVideo(business, worker), await finishVideo(business, worker)];
    const query = ids.map((id) => `task_ids=${id}`).join('&');
    const zip = await fetch(`${api.url}${BASE_PATH}/tasks/archive?${query}`, {
      headers: { authorization: `Bearer ${business.token}` },
    });
    expect(zip.headers.get('content-type')).toContain('application/zip');
    const text = Buffer.from(await zip.arrayBuffer()).toString('latin1');
    expect(text).toContain('clip-clearframe.mp4');
    expect(text).toContain('clip-clearframe (2).mp4');
  });

  it('is received in parts', async () => {
    const { business, worker } = fixture;
    const bytes = video.mp4(8_000_100);
    const { body } = await business
      .post('/video-tasks', { video_content_type: 'video/mp4', video_metadata: { size: bytes.length } })
      .expect(201);
    const url = body.resumable_url;
    const playlist = Buffer.concat([notVideos.playlist, Buffer.alloc(600_000)]);
    expect(await patch(url, 0, playlist)).toMatchObject({ status: 415, code: 'uploads.unsupported_type' });
    expect(await patch(url, 0, bytes.subarray(0, 4_000_000))).toMatchObject({ status: 204, offset: 4_000_000 });
    expect(await patch(url, 4_000_000, bytes.subarray(4_000_000))).toMatchObject({ status: 204, offset: bytes.length });
    await processVideo(business, body.video_task_id).expect(202);
    expect((await worker.waitForJob(body.video_task_id)).run.metadata.frameCount).toBe(240);
  });
});

describe('a finished video that is enhanced again', () => {
  const again = (visitor: Visitor, id: string, aiPipeline: object) =>
    visitor.post(`/video-tasks/${id}/reprocess`, { ai_pipeline: aiPipeline });
  const color = { color_enhance: { model: 'teal' } };
  const usedOf = async (visitor: Visitor) =>
    (await visitor.get('/users/@me/video-limits').expect(200)).body.used_length;

  it('has the result of the new tools, for the allowance that it has used', async () => {
    const { business, worker } = fixture;
    const id = await finishVideo(business, worker);
    const used = await usedOf(business);
    const { body } = await again(business, id, color).expect(202);
    expect(body).toMatchObject({ status: 'reprocessing', ai_pipeline: color });
    await again(business, id, color).expect(409);
    const { run } = await worker.waitForJob(id);
    expect(run.aiPipeline).toEqual({ colorEnhance: { model: 'teal' } });
    await worker.end(id);
    const video = await waitForVideo(business, id, 'completed');
    expect(video.result.output_url).toContain(run.runId);
    expect(video.ai_pipeline).toEqual(color);
    expect(await usedOf(business)).toBe(used);
  });

  it('keeps its earlier results, the five newest in all', async () => {
    const { business, worker } = fixture;
    const id = await finishVideo(business, worker);
    const { result: first, ai_pipeline: standard } = await videoOf(business, id);
    const numbersOf = async () => {
      const { result, earlier_results } = await videoOf(business, id);
      return [result, ...earlier_results].map(({ number }: { number: number }) => number);
    };
    const enhanceAgain = async (number: number) => {
      await again(business, id, color).expect(202);
      await worker.end(id);
      await until(async () => (await numbersOf())[0] === number, `version ${number}`);
    };
    await enhanceAgain(2);
    const second = await videoOf(business, id);
    expect(second.result).toMatchObject({ number: 2, ai_pipeline: color });
    expect(second.earlier_results).toMatchObject([{ id: first.id, number: 1, ai_pipeline: standard }]);
    expect((await fetch(second.earlier_results[0].output_url)).status).toBe(200);
    const { result } = await business.task(id);
    expect(result.outputs.map(({ number }: { number: number }) => number)).toEqual([2, 1]);
    for (const number of [3, 4, 5, 6]) await enhanceAgain(number);
    expect(await numbersOf()).toEqual([6, 5, 4, 3, 2]);
    await until(
      async () => (await fetch(second.earlier_results[0].output_url)).status === 404,
      'the files of version 1 to go',
    );
    expect((await fetch(second.result.output_url)).status).toBe(200);
  });

  it.each(['cancelled', 'failed', 'invalid'] as const)('keeps its result when that is %s', async (end) => {
    const { business, worker } = fixture;
    const id = await finishVideo(business, worker);
    const before = await videoOf(business, id);
    const used = await usedOf(business);
    await again(business, id, color).expect(202);
    await worker.waitForJob(id);
    if (end === 'cancelled') await business.post(`/video-tasks/${id}/cancel`).expect(200);
    if (end === 'failed') await worker.end(id, { kind: 'failed', errorCode: 'tasks.failed' });
    if (end === 'invalid') await worker.end(id, { kind: 'invalid', errorCode: 'uploads.undecodable' });
    const after = await waitForVideo(business, id, 'completed');
    expect(after).toMatchObject({
      ai_pipeline: before.ai_pipeline,
      input: before.input,
      error_code: end === 'cancelled' ? null : 'videos.failed',
    });
    expect((await fetch(after.result.output_url)).status).toBe(200);
    expect((await fetch(after.result.input_url)).status).toBe(200);
    expect(await usedOf(business)).toBe(used);
  });

  it('needs a plan with its tools, and a result', async () => {
    const { api, business, worker } = fixture;
    const personal = await personalOf(api);
    const id = await finishVideo(personal, worker);
    expect((await again(personal, id, color).expect(403)).body.error_code).toBe('pipeline.not_in_plan');
    await again(business, id, {}).expect(404);
    await again(personal, id, { bokeh: { model: 'low' } }).expect(422);
    const unfinished = await startVideo(business);
    await again(business, unfinished, color).expect(409);
    await worker.end(unfinished);
  });
});

describe('a shared video', () => {
  it('shows both sides and a frame to anyone, in ranges, and nothing of the owner', async () => {
    const { api, business, worker } = fixture;
    const id = await finishVideo(business, worker);
    const { body: link } = await business.post(`/tasks/${id}/share`).expect(201);
    expect((await business.task(id)).sharing).toEqual(link);
    expect((await videoOf(business, id)).sharing).toEqual(link);
    const open = () => api.http.get(`${BASE_PATH}/sharings/${link.sharing_id}`);
    const sharing = await until(async () => {
      const { body } = await open().expect(200);
      return body.preview_url && body;
    }, 'the preview');
    const files = `/media/shares/${link.sharing_id}`;
    expect(sharing).toMatchObject({
      media_type: 'video',
      has_watermark: false,
      frame_rate: 25,
      width: 1280,
      height: 720,
    });
    for (const [name, field] of [
      ['input', 'input_url'],
      ['output', 'output_url'],
      ['poster', 'poster_url'],
      ['preview', 'preview_url'],
    ] as const)
      expect(new URL(sharing[field]).pathname).toBe(`${files}/${name}`);
    const [previewed] = worker.renders.previews;
    expect(previewed).toMatchObject({ subjectId: id, focus: { x: 0.5, y: 0.5 } });
    const whole = await api.http.get(`${files}/output`).buffer(true).expect(200);
    expect(whole.headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '5000',
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, noarchive',
    });
    expect(whole.headers['content-disposition']).toMatch(/^inline; filename="?clearframe\.mp4"?$/);
    expect((await api.http.get(`${files}/input`).buffer(true).expect(200)).headers['content-length']).toBe('4000');
    expect((await api.http.get(`${files}/poster`).expect(200)).headers['content-type']).toBe('image/jpeg');
    const { web_user_id: userId } = await business.me();
    expect(JSON.stringify([sharing, whole.headers])).not.toMatch(new RegExp(`${id}|${userId}|clip`));
    for (const [range, length, contentRange] of [
      ['bytes=0-99', '100', 'bytes 0-99/5000'],
      ['bytes=4900-', '100', 'bytes 4900-4999/5000'],
      ['bytes=-10', '10', 'bytes 4990-4999/5000'],
      ['bytes=4990-9000', '10', 'bytes 4990-4999/5000'],
    ] as const) {
      const part = await api.http.get(`${files}/output`).set('range', range).buffer(true).expect(206);
      expect([part.headers['content-length'], part.headers['content-range']]).toEqual([length, contentRange]);
      expect(
        part.body.equals(whole.body.subarray(Number(contentRange.split(/[ -]/)[1])).subarray(0, Number(length))),
      ).toBe(true);
    }
    await api.http.get(`${files}/output`).set('range', 'bytes=5000-').expect(416);
    await api.http.get(`${files}/output`).set('range', 'bytes=0-1,5-6').expect(200);
    await business.delete(`/sharings/${link.sharing_id}`).expect(204);
    await open().expect(404);
    await api.http.get(`${files}/output`).expect(404);
  });

  it('is refused until it is finished, and ends with its video', async () => {
    const { api, business, worker } = fixture;
    const id = await startVideo(business);
    await business.post(`/tasks/${id}/share`).expect(409);
    await worker.end(id);
    await until(async () => (await videoOf(business, id)).result, 'the result');
    const { body: link } = await business.post(`/tasks/${id}/share`).expect(201);
    const expiry = Date.parse((await videoOf(business, id)).expires_at);
    expect(expiry).toBeGreaterThan(Date.parse(link.expires_at));
    await business.delete('/tasks/delete', { task_ids: [id] }).expect(204);
    await api.http.get(`${BASE_PATH}/sharings/${link.sharing_id}`).expect(404);
    expect((await api.files()).filter((key) => key.includes(id))).toEqual([]);
    expect(await api.sql('SELECT FROM runs WHERE subject_id = $1', [id])).toEqual([]);
    expect(await api.files()).not.toContain(objectKeys.input(id));
  });
});
