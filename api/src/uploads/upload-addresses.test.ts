import { objectKeys } from '@clearframe/contract';
import { signQuery } from '@clearframe/runtime/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { picture } from '../../test/support/pictures.js';
import { until } from '../../test/support/until.js';
import { responseOf, startPut } from '../../test/support/uploads/sender.js';
import { put, type Visitor } from '../../test/support/visitor.js';

let api: TestApi;
let visitor: Visitor;
beforeAll(async () => {
  api = await startApi();
  visitor = await api.guest();
});
afterAll(() => api.stop());

const inSeconds = (seconds: number): string => String(Math.floor(Date.now() / 1000) + seconds);

function signedPut(taskId: string, claims: { expires?: string; max?: string } = {}): string {
  const secret = api.environment.CLEARFRAME_SIGNING_SECRET ?? '';
  const all = { expires: inSeconds(60), max: '50000000', ...claims };
  return `${api.url}/media/uploads/${taskId}?${signQuery(secret, 'PUT', objectKeys.upload(taskId), all)}`;
}

const putTo = async (url: string, bytes = picture.jpeg()) => {
  const response = await put({ upload_url: url, upload_headers: {} }, bytes);
  const text = await response.text();
  return [response.status, text ? JSON.parse(text).error_code : undefined];
};

const storedObjects = async (taskId: string) =>
  (await api.files()).filter((key) => key.includes(taskId) || key.startsWith('.incoming'));

describe('an upload address', () => {
  it('is absolute, under the public URL, whatever the Host header', async () => {
    const { body } = await visitor
      .post('/tasks/bulk-upload', { image_content_type: 'image/jpeg' }, { Host: 'evil.example' })
      .expect(201);
    const [target] = body.task_list;
    expect(target.upload_url).toMatch(new RegExp(`^${api.url}/media/uploads/${target.task_id}\\?`));
    expect(target.upload_headers).toEqual({ 'Content-Type': 'image/jpeg' });
  });

  it('expires after fifteen minutes', async () => {
    const earliest = Number(inSeconds(900));
    const { upload_url, task_id } = await visitor.announce();
    const latest = Number(inSeconds(900));
    const expires = Number(new URL(upload_url).searchParams.get('expires'));
    expect(expires).toBeGreaterThanOrEqual(earliest);
    expect(expires).toBeLessThanOrEqual(latest);
    expect(await putTo(signedPut(task_id, { expires: inSeconds(-1) }))).toEqual([403, 'uploads.url_expired']);
    expect(await storedObjects(task_id)).toEqual([]);
  });

  it.each([
    ['signature', 'A'.repeat(43)],
    ['signature', ''],
    ['max', '99999999999'],
    ['expires', '99999999999'],
  ])('is rejected with another %s', async (name, value) => {
    const { upload_url, task_id } = await visitor.announce();
    const url = new URL(upload_url);
    url.searchParams.set(name, value);
    expect(await putTo(url.href)).toEqual([403, 'uploads.url_invalid']);
    expect(await storedObjects(task_id)).toEqual([]);
  });

  it.each(['signature', 'max', 'expires'])('is rejected without its %s, or with two', async (name) => {
    const { upload_url } = await visitor.announce();
    const url = new URL(upload_url);
    url.searchParams.append(name, url.searchParams.get(name) ?? '');
    expect(await putTo(url.href)).toEqual([403, 'uploads.url_invalid']);
    url.searchParams.delete(name);
    expect(await putTo(url.href)).toEqual([403, 'uploads.url_invalid']);
  });

  it('is not valid for another task', async () => {
    const [mine, theirs] = [await visitor.announce(), await (await api.guest()).announce()];
    expect(await putTo(mine.upload_url.replace(mine.task_id, theirs.task_id))).toEqual([403, 'uploads.url_invalid']);
  });

  it.each([
    ['not-a-uuid', 404],
    ['..%2f..%2fetc%2fpasswd', 404],
    // Clients resolve it: the address of stored objects, which are only read.
    ['%2e%2e', 405],
  ])('must name a task: %s', async (name, status) => {
    expect(await putTo(`${api.url}/media/uploads/${name}?expires=1&max=1&signature=x`)).toEqual([
      status,
      expect.any(String),
    ]);
  });

  it('is rejected once the task is deleted', async () => {
    const announced = await visitor.announce();
    await visitor.delete('/tasks/delete', { task_ids: [announced.task_id] }).expect(204);
    expect(await putTo(announced.upload_url)).toEqual([404, 'uploads.not_found']);
  });
});

describe('more bytes than allowed', () => {
  it('are rejected by Content-Length', async () => {
    const { task_id } = await visitor.announce();
    const sending = startPut(signedPut(task_id, { max: '10000' }), { 'content-length': 10_001 });
    sending.write(picture.jpeg(5_000));
    expect(await responseOf(sending)).toEqual([413, 'uploads.too_large']);
    sending.destroy();
    expect(await storedObjects(task_id)).toEqual([]);
  });

  it('are rejected while streaming', async () => {
    const { task_id } = await visitor.announce();
    const sending = startPut(signedPut(task_id, { max: '10000' }), { 'transfer-encoding': 'chunked' });
    sending.write(picture.jpeg(9_000));
    sending.write(picture.jpeg(9_000));
    expect(await responseOf(sending)).toEqual([413, 'uploads.too_large']);
    sending.destroy();
    await until(async () => (await storedObjects(task_id)).length === 0, 'the half upload to go');
  });

  it('start after the limit, not at it', async () => {
    const { task_id } = await visitor.announce();
    expect(await putTo(signedPut(task_id, { max: '6000' }), picture.jpeg(6_000))).toEqual([200, undefined]);
    expect(await putTo(signedPut(task_id, { max: '6000' }), picture.jpeg(6_001))).toEqual([413, 'uploads.too_large']);
  });
});

describe('an interrupted upload', () => {
  it.each([
    ['right at the start', 10],
    ['in the middle', 700_000],
  ])('%s leaves nothing, and the task accepts a new upload', async (_when, sent) => {
    const announced = await visitor.announce();
    const sending = startPut(announced.upload_url, { 'content-length': 1_400_000 });
    sending.write(picture.jpeg(sent));
    await until(async () => (await visitor.task(announced.task_id)).status === 'uploading', 'the upload to begin');
    sending.destroy();
    await until(async () => (await storedObjects(announced.task_id)).length === 0, 'the half upload to go');
    expect(await visitor.task(announced.task_id)).toMatchObject({ status: 'uploading', file_progress: 0 });
    const again = await put(announced, picture.jpeg());
    expect(again.status).toBe(200);
    await visitor.post(`/tasks/bulk-upload/${announced.bulk_upload_id}/process`).expect(202);
  });

  it('keeps the file of an earlier upload', async () => {
    const announced = await visitor.upload();
    const sending = startPut(announced.upload_url, { 'content-length': 1_400_000 });
    sending.write(picture.jpeg(100_000));
    await until(
      async () => (await api.files()).some((key) => key.startsWith('.incoming')),
      'the second upload to begin',
    );
    sending.destroy();
    await until(async () => !(await api.files()).some((key) => key.startsWith('.incoming')), 'the half upload to go');
    expect(await api.files()).toContain(objectKeys.upload(announced.task_id));
  });

  it('does not prevent cancelling, which leaves nothing', async () => {
    const announced = await visitor.announce();
    const sending = startPut(announced.upload_url, { 'content-length': 20_000 });
    sending.write(picture.jpeg(10_000));
    await until(async () => (await visitor.task(announced.task_id)).status === 'uploading', 'the upload to begin');
    await visitor.post(`/tasks/${announced.task_id}/cancel`).expect(200);
    sending.end(Buffer.alloc(10_000));
    expect(await responseOf(sending)).toEqual([409, 'uploads.closed']);
    expect(await storedObjects(announced.task_id)).toEqual([]);
  });
});
