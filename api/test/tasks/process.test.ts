import { writeFile } from 'node:fs/promises';
import { enhanceImage, objectKeys, REDIS_PREFIX, traceparentOf } from '@clearframe/contract';
import { Queue } from 'bullmq';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../support/application.js';
import { notPictures, picture } from '../support/pictures.js';
import { put, type Visitor, type WireTarget } from '../support/visitor.js';

let api: TestApi;
let visitor: Visitor;
let queue: Queue;
beforeAll(async () => {
  api = await startApi();
  visitor = await api.guest();
  queue = new Queue('colors', {
    prefix: REDIS_PREFIX,
    connection: { url: api.environment.REDIS_URL ?? '' },
  });
});
afterAll(async () => {
  await queue.close();
  await api.stop();
});

const start = (bulkUploadId: string) => visitor.post(`/tasks/bulk-upload/${bulkUploadId}/process`);
const jobsOf = async (taskId: string) =>
  (await queue.getJobs(['waiting', 'active', 'delayed'])).filter(({ data }) => data.payload.subjectId === taskId);
const runsOf = (taskId: string) =>
  api.sql<{ id: string; queue: string }>(
    `SELECT id, queue FROM runs WHERE subject_id = $1 AND kind = 'image.enhance'`,
    [taskId],
  );

describe('starting processing', () => {
  it('responds with 202 and the upload, and publishes one job with the right order', async () => {
    const { bulk_upload_id, task_id } = await visitor.upload({ jpeg_quality: 100, ai_pipeline: {} });
    const { body } = await start(bulk_upload_id).expect(202);
    expect(body).toMatchObject({
      bulk_upload_id,
      status: 'processing',
      task_list: [{ task_id, status: 'processing' }],
    });
    const [job] = await jobsOf(task_id);
    expect(job?.data).toEqual({
      version: enhanceImage.version,
      traceparent: traceparentOf(job?.data.payload.runId),
      payload: {
        subjectId: task_id,
        runId: expect.any(String),
        inputKey: objectKeys.input(task_id),
        aiPipeline: {},
        rendition: { contentType: 'image/jpeg', jpegQuality: 100, watermark: true, maxSide: null },
        display: { contentType: 'image/jpeg', jpegQuality: 90, watermark: true, maxSide: 2048, use: 'display' },
        maxSide: 2048,
        faceDetectorMaxInput: 800,
        keepLocation: false,
        kept: [],
      },
    });
    expect(job?.opts).toMatchObject({ jobId: `run-${job?.data.payload.runId}`, attempts: enhanceImage.attempts });
    expect(await runsOf(task_id)).toEqual([{ id: job?.data.payload.runId, queue: 'colors' }]);
  });

  it('again changes nothing', async () => {
    const { bulk_upload_id, task_id } = await visitor.upload();
    await start(bulk_upload_id).expect(202);
    const before = await runsOf(task_id);
    expect(before).toHaveLength(1);
    await start(bulk_upload_id).expect(202);
    expect(await runsOf(task_id)).toEqual(before);
  });

  it('ten times at once starts once', async () => {
    const { bulk_upload_id, task_id } = await visitor.upload();
    const responses = await Promise.all(Array.from({ length: 10 }, () => start(bulk_upload_id)));
    expect(responses.map(({ status }) => status)).toEqual(new Array(10).fill(202));
    expect(await runsOf(task_id)).toHaveLength(1);
  });

  it('serves the original to its owner', async () => {
    const bytes = picture.jpeg();
    const { task_id } = await visitor.process({ file_name: 'me.jpg' }, bytes);
    const { input_url } = await visitor.task(task_id);
    const response = await fetch(input_url);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it.each([
    ['IMG_1.JPEG', 'IMG_1.JPEG'],
    ['me.html', 'me.html.jpg'],
    ['no extension', 'no extension.jpg'],
    [undefined, 'picture.jpg'],
  ])('lets an original called %s be saved as %s, never as a page', async (name, expected) => {
    const { task_id } = await visitor.process({ file_name: name });
    const { input_url } = await visitor.task(task_id);
    expect((await fetch(input_url)).headers.get('content-disposition')).toBe(`inline; filename="${expected}"`);
  });

  it('survives a failed transaction without losing the file', async () => {
    const { bulk_upload_id, task_id } = await visitor.upload();
    await api.sql('ALTER TABLE runs RENAME TO runs_away');
    await start(bulk_upload_id).expect(500);
    await api.sql('ALTER TABLE runs_away RENAME TO runs');
    expect((await visitor.task(task_id)).status).toBe('uploading');
    await start(bulk_upload_id).expect(202);
    expect(await runsOf(task_id)).toHaveLength(1);
  });
});

describe('starting processing is rejected without changes', () => {
  it.each<[number, string, () => Buffer | null]>([
    [409, 'uploads.missing', () => null],
    [422, 'uploads.empty', () => Buffer.alloc(0)],
    [415, 'uploads.unsupported_type', () => notPictures.html],
  ])('%i %s', async (status, code, bytes) => {
    const { bulk_upload_id, task_id } = await visitor.announce();
    const content = bytes();
    // Like a store that does not inspect files.
    if (content) await writeFile(api.pathOf(objectKeys.upload(task_id)), content);
    const { body } = await start(bulk_upload_id).expect(status);
    expect(body.error_code).toBe(code);
    expect((await visitor.task(task_id)).status).toBe('started');
    expect(await runsOf(task_id)).toEqual([]);
  });

  it.each<[number, string, Buffer]>([
    [415, 'uploads.unsupported_type', notPictures.html],
    [422, 'uploads.empty', Buffer.alloc(0)],
  ])('%i %s when such bytes were rejected, until valid ones arrive', async (status, code, bytes) => {
    const announced = await visitor.announce();
    expect((await put(announced, bytes)).status).toBe(status);
    expect((await start(announced.bulk_upload_id).expect(status)).body.error_code).toBe(code);
    expect((await put(announced, picture.jpeg())).status).toBe(200);
    // Later rejected files have no effect.
    expect((await put(announced, bytes)).status).toBe(status);
    const { body } = await start(announced.bulk_upload_id).expect(202);
    expect(body.task_list[0]).toMatchObject({ status: 'processing', error_code: null });
  });

  it('422 when the size differs from the declared one', async () => {
    const { bulk_upload_id, task_id } = await visitor.announce({ size_bytes: 10 });
    await writeFile(api.pathOf(objectKeys.upload(task_id)), picture.jpeg(11));
    expect((await start(bulk_upload_id).expect(422)).body.error_code).toBe('uploads.size_mismatch');
  });

  it('not when every task has ended: there is nothing left to start', async () => {
    const { bulk_upload_id, task_id } = await visitor.upload();
    await visitor.post(`/tasks/${task_id}/cancel`).expect(200);
    const { body } = await start(bulk_upload_id).expect(202);
    expect(body).toMatchObject({ status: 'completed', task_list: [{ status: 'cancelled' }] });
  });
});

describe('several pictures of a business user', () => {
  const JPEG = { image_content_type: 'image/jpeg' };
  let business: Visitor;
  beforeAll(async () => {
    business = await api.business();
  });

  async function announce(count: number): Promise<{ id: string; targets: WireTarget[] }> {
    const { body } = await business
      .post('/tasks/bulk-upload', { input_task_list: new Array(count).fill(JPEG) })
      .expect(201);
    return { id: body.bulk_upload_id, targets: body.task_list };
  }
  const add = (id: string) => business.post(`/tasks/bulk-upload/${id}`, { input_task_list: [JPEG] });
  const targetOf = (targets: WireTarget[], index: number): WireTarget => {
    const target = targets[index];
    if (!target) throw new Error(`picture ${index} was not announced`);
    return target;
  };
  const statusesOf = (body: { task_list: { status: string }[] }) => body.task_list.map(({ status }) => status);
  const startAll = (id: string) => business.post(`/tasks/bulk-upload/${id}/process`);

  it('are clean and PNG', async () => {
    await api.sql('DELETE FROM runs');
    const { task_id } = await business.process({ ai_pipeline: {} });
    const [job] = await jobsOf(task_id);
    expect(job?.data.payload.rendition).toMatchObject({ contentType: 'image/png', watermark: false, maxSide: null });
  });

  it('are processed while invalid ones become `invalid` and missing ones stay open', async () => {
    const { id, targets } = await announce(3);
    const [good, , bad] = targets;
    if (!good || !bad) throw new Error('three pictures were announced');
    await put(good, picture.jpeg());
    await writeFile(api.pathOf(objectKeys.upload(bad.task_id)), notPictures.gif);
    const { body } = await startAll(id).expect(202);
    expect(
      body.task_list.map((task: { status: string; error_code: unknown }) => [task.status, task.error_code]),
    ).toEqual([
      ['processing', null],
      ['started', null],
      ['invalid', 'uploads.unsupported_type'],
    ]);
    expect(body.status).toBe('processing');
    expect((await api.files()).some((key) => key.includes(bad.task_id))).toBe(false);
  });

  it('are started as they arrive, by their ids', async () => {
    const { id, targets } = await announce(3);
    const [first, second, third] = targets.map(({ task_id }) => task_id);
    await put(targetOf(targets, 0), picture.jpeg());
    await put(targetOf(targets, 1), picture.jpeg());
    const startOnly = (...task_ids: unknown[]) => business.post(`/tasks/bulk-upload/${id}/process`, { task_ids });
    expect(statusesOf((await startOnly(second).expect(202)).body)).toEqual(['uploading', 'processing', 'started']);
    expect(statusesOf((await startOnly(second, first).expect(202)).body)).toEqual([
      'processing',
      'processing',
      'started',
    ]);
    expect(await runsOf(second ?? '')).toHaveLength(1);
    expect((await startOnly(third).expect(409)).body.error_code).toBe('uploads.missing');
    expect((await startOnly(third, (await visitor.announce()).task_id).expect(404)).body.error_code).toBe(
      'tasks.not_found',
    );
    await startOnly().expect(422);
    await put(targetOf(targets, 2), picture.jpeg());
    expect(statusesOf((await startOnly(third).expect(202)).body)).toEqual(new Array(3).fill('processing'));
  });

  it('one that is named and invalid ends alone, though no other file has arrived', async () => {
    const { id, targets } = await announce(2);
    const [bad] = targets;
    await writeFile(api.pathOf(objectKeys.upload(bad?.task_id ?? '')), notPictures.gif);
    const { body } = await business.post(`/tasks/bulk-upload/${id}/process`, { task_ids: [bad?.task_id] }).expect(202);
    expect(statusesOf(body)).toEqual(['invalid', 'started']);
    await put(targetOf(targets, 1), picture.jpeg());
    expect(statusesOf((await startAll(id).expect(202)).body)).toEqual(['invalid', 'processing']);
  });

  it('are at most fifteen, also when added one by one and after others were deleted', async () => {
    const { id, targets } = await announce(14);
    await add(id).expect(201);
    expect((await add(id)).body.error_code).toBe('batch.too_many_files');
    const sixteen = { input_task_list: new Array(16).fill(JPEG) };
    expect((await business.post('/tasks/bulk-upload', sixteen).expect(422)).body.error_code).toBe(
      'batch.too_many_files',
    );
    await business.delete('/tasks/delete', { task_ids: [targetOf(targets, 3).task_id] }).expect(204);
    await add(id).expect(201);
    const { body } = await business.get(`/tasks/bulk-upload/${id}`).expect(200);
    expect(body.task_list).toHaveLength(15);
    expect(body.task_list.at(-1)).toMatchObject({ status: 'started', bulk_upload_size: 15 });
  });

  it('can be added while others are processed, until all have ended', async () => {
    const { id, targets } = await announce(1);
    await put(targetOf(targets, 0), picture.jpeg());
    await startAll(id).expect(202);
    const { body: added } = await add(id).expect(201);
    await put(added.task_list[0], picture.jpeg());
    expect(statusesOf((await startAll(id).expect(202)).body)).toEqual(['processing', 'processing']);
    for (const { task_id } of [...targets, ...added.task_list])
      await business.post(`/tasks/${task_id}/cancel`).expect(200);
    expect((await add(id).expect(409)).body.error_code).toBe('bulk_uploads.already_processed');
  });

  it('added concurrently get distinct positions', async () => {
    const { id } = await announce(1);
    const responses = await Promise.all(Array.from({ length: 5 }, () => add(id)));
    expect(responses.map(({ status }) => status)).toEqual(new Array(5).fill(201));
    expect((await business.get(`/tasks/bulk-upload/${id}`).expect(200)).body.task_list).toHaveLength(6);
  });
});
