import { createHash } from 'node:crypto';
import { objectKeys } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type S3Server, startS3Server } from '../../../runtime/test/s3-server.js';
import { startApi, type TestApi } from '../../test/support/application.js';
import { picture } from '../../test/support/pictures.js';
import { until } from '../../test/support/until.js';
import { put, type Visitor } from '../../test/support/visitor.js';
import { ManualWorker } from '../../test/support/workers/manual-worker.js';

let server: S3Server;
let api: TestApi;
let store: ObjectStore;
let visitor: Visitor;
beforeAll(async () => {
  server = await startS3Server();
  for (const [name, value] of Object.entries(server.environment)) vi.stubEnv(name, value);
  api = await startApi(server.environment);
  store = api.app.get(ObjectStore);
  visitor = await api.guest();
});
afterAll(async () => {
  await api.stop();
  await server.stop();
  vi.unstubAllEnvs();
});

it('uploads to the bucket, processes uploaded files, and serves results from the bucket', async () => {
  const announced = await visitor.announce({ file_name: 'me.jpg' });
  expect(new URL(announced.upload_url).origin).toBe(server.endpoint);
  expect((await put(announced, picture.jpeg())).status).toBe(200);
  await visitor.post(`/tasks/bulk-upload/${announced.bulk_upload_id}/process`).expect(202);
  expect(await store.sizeOf(objectKeys.upload(announced.task_id))).toBeNull();

  const worker = new ManualWorker(api);
  await worker.start();
  const result = picture.jpeg();
  await worker.end(announced.task_id, async (run) => {
    const input = await store.fetch(run.inputKey);
    await input.release();
    const outcome = await worker.finish(run, result);
    if (outcome.kind === 'completed') await store.put(outcome.result.rendition.key, result);
    return outcome;
  });
  await until(async () => (await visitor.task(announced.task_id)).status === 'completed', 'the task to be completed');
  await worker.stop();

  const { output_url } = await visitor.task(announced.task_id);
  const response = await fetch(output_url ?? '');
  expect(new URL(output_url ?? '').origin).toBe(server.endpoint);
  expect(response.headers.get('content-type')).toBe('image/jpeg');
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="me/);
  expect(Buffer.from(await response.arrayBuffer()).equals(result)).toBe(true);

  await visitor.delete('/tasks/delete', { task_ids: [announced.task_id] }).expect(204);
  for await (const { key } of store.list('')) expect(key).not.toContain(announced.task_id);
});

it('serves shared files itself, so that their addresses end with the link', async () => {
  const worker = new ManualWorker(api);
  await worker.start();
  const { task_id } = await visitor.process();
  const bytes = picture.jpeg();
  await worker.end(task_id, async (run) => {
    const outcome = await worker.finish(run, bytes);
    if (outcome.kind === 'completed') await store.put(outcome.result.display?.key ?? '', bytes);
    return outcome;
  });
  await until(async () => (await visitor.task(task_id)).status === 'completed', 'the task to be completed');
  await worker.stop();
  // The original's files for pages, without a worker for them.
  const key = objectKeys.rendition(task_id, task_id, 'display', 'image/jpeg');
  await store.put(key, bytes);
  const image = { key, contentType: 'image/jpeg', width: 8, height: 8, sizeBytes: bytes.length, hasWatermark: false };
  await api.sql(`UPDATE renditions SET status = 'ready', image = $2 WHERE task_id = $1`, [task_id, image]);

  const { body } = await visitor.post(`/tasks/${task_id}/share`).expect(201);
  const files = ['input', 'output'].map((side) => `/media/shares/${body.sharing_id}/${side}`);
  for (const path of files) {
    const response = await api.http.get(path).expect(200).expect('cache-control', 'no-store');
    expect(response.body.equals(bytes)).toBe(true);
  }
  await visitor.delete(`/sharings/${body.sharing_id}`).expect(204);
  for (const path of files) await api.http.get(path).expect(404);
});

it("inspects bytes, which S3 can't", async () => {
  const announced = await visitor.announce();
  expect((await put(announced, Buffer.from('<html></html>'))).status).toBe(200);
  const { body } = await visitor.post(`/tasks/bulk-upload/${announced.bulk_upload_id}/process`).expect(415);
  expect(body.error_code).toBe('uploads.unsupported_type');
});

it('verifies the declared checksum where the bucket has not', async () => {
  const bytes = picture.jpeg();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const declared = await visitor.announce({ sha256 });
  const wrong = await put(declared, picture.png(), { 'Content-Type': 'image/jpeg' });
  expect(wrong.status).toBe(200);
  const address = `/tasks/bulk-upload/${declared.bulk_upload_id}/process`;
  const { body } = await visitor.post(address).expect(422);
  expect(body.error_code).toBe('uploads.checksum_mismatch');

  expect((await put(declared, bytes)).status).toBe(200);
  await visitor.post(address).expect(202);
  expect((await visitor.task(declared.task_id)).input.sha256).toBe(sha256);
});

it('has no media routes, and is ready', async () => {
  expect((await put({ upload_url: `${api.url}/media/uploads/x`, upload_headers: {} }, picture.jpeg())).status).toBe(
    404,
  );
  expect((await api.http.get('/media/results/x')).status).toBe(404);
  expect((await api.http.get('/readyz').expect(200)).body.dependencies.storage).toBe('up');
});
