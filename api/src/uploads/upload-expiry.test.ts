import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import { objectKeys } from '@clearframe/contract';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { notPictures, picture } from '../../test/support/pictures.js';
import { until } from '../../test/support/until.js';
import { responseOf, startPut } from '../../test/support/uploads/sender.js';
import { put, type Visitor, type WireTarget } from '../../test/support/visitor.js';
import { WorkRunner } from '../platform/schedule/work-runner.js';
import { UploadIntake } from './upload-intake.js';

let api: TestApi;
let visitor: Visitor;
beforeAll(async () => {
  api = await startApi();
  visitor = await api.guest();
});
afterAll(() => api.stop());

const pass = () =>
  api.app.get(WorkRunner, { strict: false }).pass(api.app.get(UploadIntake, { strict: false }).scheduledWork[0]);
const expire = (taskId: string) =>
  api.sql(`UPDATE tasks SET upload_expires_at = upload_expires_at - interval '15 minutes' WHERE id = $1`, [taskId]);
const stateOf = async (taskId: string) => {
  const { status, error_code } = await visitor.task(taskId);
  return [status, error_code];
};
const process = (bulkUploadId: string) => visitor.post(`/tasks/bulk-upload/${bulkUploadId}/process`);
const temporaryFiles = async () => (await api.files()).filter((key) => key.startsWith('.incoming'));
const untilGivenUp = (taskId: string) =>
  until(async () => {
    const rows = await api.sql(
      `SELECT FROM tasks WHERE id = $1 AND upload_expires_at < now() + interval '16 minutes'`,
      [taskId],
    );
    return rows.length === 1;
  }, 'the upload to be given up');

async function holdTask(taskId: string) {
  const database = new Client({ connectionString: api.environment.DATABASE_URL });
  await database.connect();
  await database.query('BEGIN');
  await database.query('SELECT FROM tasks WHERE id = $1 FOR UPDATE', [taskId]);
  const end = async () => {
    await database.query('COMMIT');
    await database.end();
  };
  return { database, end };
}

const isWaitedFor = async (database: Client) =>
  (await database.query('SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))')).rows
    .length > 0;

describe('an upload URL that expires without a file', () => {
  it('ends its task as invalid, and the upload with it', async () => {
    const { bulk_upload_id, task_id } = await visitor.announce();
    await pass();
    expect(await stateOf(task_id)).toEqual(['started', null]);
    await expire(task_id);
    await pass();
    expect(await stateOf(task_id)).toEqual(['invalid', 'uploads.expired']);
    expect((await visitor.get(`/tasks/bulk-upload/${bulk_upload_id}`).expect(200)).body.status).toBe('completed');
    expect((await process(bulk_upload_id).expect(202)).body.task_list).toMatchObject([{ status: 'invalid' }]);
  });

  it('ends a task whose upload was interrupted', async () => {
    const announced = await visitor.announce();
    const sending = startPut(announced.upload_url, { 'content-length': 1_400_000 });
    sending.write(picture.jpeg(100_000));
    await until(async () => (await temporaryFiles()).length > 0, 'the upload to begin');
    sending.destroy();
    await until(async () => (await temporaryFiles()).length === 0, 'the partial file to go');
    await untilGivenUp(announced.task_id);
    await expire(announced.task_id);
    await pass();
    expect(await stateOf(announced.task_id)).toEqual(['invalid', 'uploads.expired']);
  });

  it('ends a task whose bytes were rejected; until then shows the reason and accepts others', async () => {
    const [refused, replaced] = [await visitor.announce(), await visitor.announce()];
    for (const announced of [refused, replaced]) {
      expect((await put(announced, notPictures.html)).status).toBe(415);
      expect(await stateOf(announced.task_id)).toEqual(['uploading', 'uploads.unsupported_type']);
    }
    expect((await put(replaced, picture.jpeg())).status).toBe(200);
    for (const { task_id } of [refused, replaced]) await expire(task_id);
    await pass();
    expect(await stateOf(refused.task_id)).toEqual(['invalid', 'uploads.expired']);
    expect(await stateOf(replaced.task_id)).toEqual(['uploading', null]);
    await process(replaced.bulk_upload_id).expect(202);
  });

  it('opens its task again when the address is renewed', async () => {
    const announced = await visitor.announce();
    await expire(announced.task_id);
    await pass();
    expect((await put(announced, picture.jpeg())).status).toBe(409);
    const stranger = await api.guest();
    await stranger.post(`/tasks/${announced.task_id}/upload`).expect(404);
    const { body } = await visitor.post(`/tasks/${announced.task_id}/upload`).expect(200);
    expect(body).toMatchObject({ task_id: announced.task_id, status: 'started', resumable_url: null });
    expect(await stateOf(announced.task_id)).toEqual(['started', null]);
    await pass();
    expect((await put(body, picture.jpeg())).status).toBe(200);
    await process(announced.bulk_upload_id).expect(202);
    await visitor.post(`/tasks/${announced.task_id}/upload`).expect(409);
  });

  it('stays open while the address is renewed', async () => {
    const { task_id } = await visitor.announce();
    await expire(task_id);
    await visitor.post(`/tasks/${task_id}/upload`).expect(200);
    await pass();
    expect(await stateOf(task_id)).toEqual(['started', null]);
  });

  it('keeps a task whose file exists, even if the store did not report it', async () => {
    const [reported, unreported] = [await visitor.upload(), await visitor.announce()];
    const path = api.pathOf(objectKeys.upload(unreported.task_id));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, picture.jpeg());
    for (const { task_id } of [reported, unreported]) await expire(task_id);
    await pass();
    for (const { task_id, bulk_upload_id } of [reported, unreported]) {
      expect((await stateOf(task_id))[1]).toBeNull();
      expect((await process(bulk_upload_id).expect(202)).body.status).toBe('processing');
    }
  });

  it('ends a task whose client disconnected before its bytes were read', async () => {
    const announced = await visitor.announce();
    const server: Server = api.app.getHttpServer();
    const connection = once(server, 'connection') as Promise<[Socket]>;
    const { database, end } = await holdTask(announced.task_id);
    const sending = startPut(announced.upload_url, { 'content-length': 1_400_000 });
    sending.write(picture.jpeg(10));
    const [socket] = await connection;
    await until(async () => isWaitedFor(database), 'the upload to wait for the row');
    sending.destroy();
    await until(async () => socket.destroyed, 'the server to notice');
    await end();
    await until(async () => (await stateOf(announced.task_id))[0] === 'uploading', 'the upload to begin');
    await untilGivenUp(announced.task_id);
    expect(await temporaryFiles()).toEqual([]);
  });

  it('does not expire during an upload', async () => {
    const announced = await visitor.announce();
    const bytes = picture.jpeg(200_000);
    const sending = startPut(announced.upload_url, { 'content-length': bytes.length });
    sending.write(bytes.subarray(0, 100_000));
    await until(async () => (await temporaryFiles()).length > 0, 'the upload to begin');
    await expire(announced.task_id);
    await pass();
    sending.end(bytes.subarray(100_000));
    expect(await responseOf(sending)).toEqual([200, undefined]);
    expect(await stateOf(announced.task_id)).toEqual(['uploading', null]);
  });
});

it('processes files that were uploaded after others were started, on request', async () => {
  const business = await api.business();
  const { body } = await business
    .post('/tasks/bulk-upload', { input_task_list: new Array(2).fill({ image_content_type: 'image/jpeg' }) })
    .expect(201);
  const [first, second]: WireTarget[] = body.task_list;
  if (!first || !second) throw new Error('two pictures were announced');
  const start = () => business.post(`/tasks/bulk-upload/${body.bulk_upload_id}/process`).expect(202);
  const statuses = (response: { body: { task_list: { status: string }[] } }) =>
    response.body.task_list.map(({ status }) => status);
  await put(first, picture.jpeg());
  expect(statuses(await start())).toEqual(['processing', 'started']);
  expect((await put(second, picture.jpeg())).status).toBe(200);
  expect(statuses(await start())).toEqual(['processing', 'processing']);
});
