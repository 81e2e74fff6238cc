import { writeFile } from 'node:fs/promises';
import { enhanceImage, objectKeys, REDIS_PREFIX, traceparentOf } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Queue } from 'bullmq';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { notPictures, picture } from '../../test/support/pictures.js';
import { put, type Visitor } from '../../test/support/visitor.js';

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
        mask: null,
      },
    });
    expect(job?.opts).toMatchObject({ jobId: `run-${job?.data.payload.runId}`, attempts: enhanceImage.attempts });
    expect(await runsOf(task_id)).toEqual([{ id: job?.data.payload.runId, queue: 'colors' }]);
  });

  it('makes results of a business user clean and PNG', async () => {
    await api.sql('DELETE FROM runs');
    const { task_id } = await (await api.business()).process({ ai_pipeline: {} });
    const [job] = await jobsOf(task_id);
    expect(job?.data.payload.rendition).toMatchObject({ contentType: 'image/png', watermark: false, maxSide: null });
  });

  it('again changes nothing', async () => {
    const { bulk_upload_id, task_id } = await visitor.upload();
    await start(bulk_upload_id).expect(202);
    const before = await runsOf(task_id);
    expect(before).toHaveLength(1);
    await start(bulk_upload_id).expect(202);
    expect(await runsOf(task_id)).toEqual(before);
  });

  it('stores the checksum of the file that is processed when two requests meet a replaced file', async () => {
    const announced = await visitor.upload();
    const { bulk_upload_id, task_id } = announced;
    const store = api.app.get(ObjectStore, { strict: false });
    const hash = store.sha256Of.bind(store);
    const started = Promise.withResolvers<void>();
    let other: Promise<unknown> | undefined;
    const hashing = vi.spyOn(store, 'sha256Of').mockImplementation(async (key) => {
      const result = await hash(key);
      if (other) {
        await started.promise;
        return result;
      }
      await put(announced, picture.png());
      other = start(bulk_upload_id).then();
      // Time for the other request to claim the second file.
      for (let reads = 0; reads < 10 && hashing.mock.calls.length < 2; reads += 1) await visitor.task(task_id);
      return result;
    });
    await start(bulk_upload_id).expect(202);
    started.resolve();
    await other;
    hashing.mockRestore();
    expect((await visitor.task(task_id)).input.sha256).toBe(await store.sha256Of(objectKeys.input(task_id)));
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

  it('when every task was cancelled: there is nothing left to start', async () => {
    const { bulk_upload_id, task_id } = await visitor.upload();
    await visitor.post(`/tasks/${task_id}/cancel`).expect(200);
    const { body } = await start(bulk_upload_id).expect(409);
    expect(body.error_code).toBe('tasks.wrong_state');
    expect((await visitor.task(task_id)).status).toBe('cancelled');
  });
});
