import { createHash } from 'node:crypto';
import { megabytes, objectKeys } from '@clearframe/contract';
import { ObjectStore, signQuery } from '@clearframe/runtime/storage';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type S3Server, startS3Server } from '../../../runtime/test/s3-server.js';
import { createApp } from '../../src/app/create-app.js';
import { WorkRunner } from '../../src/platform/schedule/work-runner.js';
import { UploadExpiry } from '../../src/tasks/uploads/upload-expiry.js';
import { startApi, type TestApi } from '../support/application.js';
import { picture } from '../support/pictures.js';
import { freePort } from '../support/ports.js';
import { patch, startPatch, startTus, tus, tusResponseOf } from '../support/tus-client.js';
import { until } from '../support/until.js';
import { type Announced, put, type Visitor } from '../support/visitor.js';

const SIZE = megabytes(9);
const HALF = megabytes(4);
const FILE = picture.jpeg(SIZE);
const sha256 = createHash('sha256').update(FILE).digest('hex');

type Resumable = Announced & { readonly resumable_url: string };

describe.each(['disk', 's3'])('a resumable upload to %s', (driver) => {
  let server: S3Server | null = null;
  let api: TestApi;
  let store: ObjectStore;
  let visitor: Visitor;
  beforeAll(async () => {
    if (driver === 's3') {
      server = await startS3Server();
      for (const [name, value] of Object.entries(server.environment)) vi.stubEnv(name, value);
    }
    api = await startApi(server?.environment);
    store = api.app.get(ObjectStore);
    visitor = await api.guest();
  });
  afterAll(async () => {
    await api.stop();
    await server?.stop();
    vi.unstubAllEnvs();
  });

  async function announce(input: object = {}): Promise<Resumable> {
    const announced = await visitor.announce({ size_bytes: SIZE, ...input });
    if (!announced.resumable_url) throw new Error('no address for a resumable upload');
    return { ...announced, resumable_url: announced.resumable_url };
  }
  const offsetOf = async ({ resumable_url }: Resumable) => (await tus('HEAD', resumable_url)).offset;
  const process = ({ bulk_upload_id }: Announced) => visitor.post(`/tasks/bulk-upload/${bulk_upload_id}/process`);
  async function storedKeys(taskId: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of store.list('')) if (key.includes(taskId)) keys.push(key);
    return keys;
  }
  const expire = (taskId: string) =>
    api.sql(`UPDATE tasks SET upload_expires_at = now() - interval '1 second' WHERE id = $1`, [taskId]);
  const expiryPass = () =>
    api.app.get(WorkRunner, { strict: false }).pass(api.app.get(UploadExpiry, { strict: false }).scheduledWork[0]);

  it('has an address for files over 8 MB of declared size, for 24 hours', async () => {
    for (const input of [{}, { size_bytes: megabytes(8) }])
      expect((await visitor.announce(input)).resumable_url).toBeNull();
    const { resumable_url, task_id } = await announce({ size_bytes: megabytes(8) + 1 });
    expect(resumable_url).toMatch(new RegExp(`^${api.url}/media/resumable/${task_id}\\?`));
    const expires = Number(new URL(resumable_url).searchParams.get('expires'));
    expect(Math.abs(expires - Date.now() / 1000 - 86_400)).toBeLessThan(10);
  });

  it('resumes at the stored byte and is processed', async () => {
    const announced = await announce({ sha256 });
    const url = announced.resumable_url;
    expect(await tus('HEAD', url)).toMatchObject({ status: 200, offset: 0, headers: { 'upload-length': `${SIZE}` } });
    expect(await patch(url, 0, FILE.subarray(0, HALF))).toMatchObject({ status: 204, offset: HALF });
    expect((await process(announced).expect(409)).body.error_code).toBe('uploads.missing');
    expect(await offsetOf(announced)).toBe(HALF);
    expect(await patch(url, HALF, FILE.subarray(HALF))).toMatchObject({ status: 204, offset: SIZE });
    expect(await storedKeys(announced.task_id)).toEqual([objectKeys.upload(announced.task_id)]);
    expect(await tus('HEAD', url)).toMatchObject({ status: 200, offset: SIZE });
    await process(announced).expect(202);
    const { input } = await visitor.task(announced.task_id);
    expect(input).toMatchObject({ sha256, size_bytes: SIZE, content_type: 'image/jpeg' });
    expect(await tus('HEAD', url)).toMatchObject({ status: 200, offset: SIZE });
  });

  it('keeps what a cut connection has sent', async () => {
    const announced = await announce({ sha256 });
    const sending = startPatch(announced.resumable_url, 0, SIZE);
    sending.write(FILE.subarray(0, HALF));
    await until(async () => (await storedKeys(announced.task_id)).length > 2, 'parts to be stored');
    sending.destroy();
    // Waits for the cut request.
    const offset = await offsetOf(announced);
    expect(offset).toBeGreaterThanOrEqual(2 * 1024 * 1024);
    expect(offset).toBeLessThanOrEqual(HALF);
    expect(await patch(announced.resumable_url, offset ?? 0, FILE.subarray(offset ?? 0))).toMatchObject({
      status: 204,
      offset: SIZE,
    });
    await process(announced).expect(202);
  });

  it('continues in another process, also after the last part', async () => {
    const [half, joined] = [await announce({ sha256 }), await announce({ sha256 })];
    expect((await patch(half.resumable_url, 0, FILE.subarray(0, HALF))).offset).toBe(HALF);
    // As after a crash before the parts were joined.
    for (let offset = 0; offset < SIZE; offset += 3_000_000)
      await store.put(objectKeys.uploadPart(joined.task_id, offset), FILE.subarray(offset, offset + 3_000_000));
    const app = await createApp(api.environment);
    const port = await freePort();
    await app.listen(port, '127.0.0.1');
    const elsewhere = ({ resumable_url }: Resumable) => resumable_url.replace(api.url, `http://127.0.0.1:${port}`);
    expect(await tus('HEAD', elsewhere(half))).toMatchObject({ offset: HALF });
    expect(await patch(elsewhere(half), HALF, FILE.subarray(HALF))).toMatchObject({ status: 204, offset: SIZE });
    expect(await tus('HEAD', elsewhere(joined))).toMatchObject({ offset: SIZE });
    await app.close();
    for (const announced of [half, joined]) await process(announced).expect(202);
  });

  it('is refused at another offset, for more bytes and for another length', async () => {
    const { resumable_url: url, task_id } = await announce();
    await patch(url, 0, FILE.subarray(0, HALF));
    for (const offset of [0, HALF - 1, HALF + 1, SIZE])
      expect(await patch(url, offset, FILE.subarray(0, 100_000))).toMatchObject({
        status: 409,
        code: 'uploads.wrong_offset',
      });
    const excess = startPatch(url, HALF, SIZE);
    const refusal = tusResponseOf(excess);
    excess.write(FILE.subarray(0, 10));
    expect(await refusal).toMatchObject({ status: 413, code: 'uploads.too_large' });
    excess.destroy();
    expect(await patch(url, HALF, FILE.subarray(HALF), { 'upload-length': SIZE - 1 })).toMatchObject({
      status: 422,
      code: 'uploads.size_mismatch',
    });
    expect(await tus('PATCH', url, { 'content-type': 'text/plain', 'upload-offset': HALF })).toMatchObject({
      status: 400,
      code: 'request.malformed',
    });
    expect(await startAndRead('PATCH', url, { 'tus-resumable': '0.2.2' })).toMatchObject({ status: 400 });
    expect((await tus('HEAD', url)).offset).toBe(HALF);
    expect((await storedKeys(task_id)).length).toBeGreaterThan(0);
  });

  it('is refused for another checksum, and accepts the right bytes then', async () => {
    const announced = await announce({ sha256 });
    const url = announced.resumable_url;
    const changed = Buffer.from(FILE);
    changed[HALF] = (FILE[HALF] ?? 0) ^ 1;
    expect(await patch(url, 0, changed)).toMatchObject({ status: 422, code: 'uploads.checksum_mismatch' });
    expect((await visitor.task(announced.task_id)).error_code).toBe('uploads.checksum_mismatch');
    expect(await storedKeys(announced.task_id)).toEqual([]);
    expect(await offsetOf(announced)).toBe(0);
    expect(await patch(url, 0, FILE)).toMatchObject({ status: 204, offset: SIZE });
    await process(announced).expect(202);
  });

  it('is refused by its first bytes', async () => {
    const announced = await announce();
    const sending = startPatch(announced.resumable_url, 0, SIZE);
    const response = tusResponseOf(sending);
    sending.write(Buffer.alloc(1_500_000, 7));
    expect(await response).toMatchObject({ status: 415, code: 'uploads.unsupported_type' });
    sending.destroy();
    expect((await process(announced).expect(415)).body.error_code).toBe('uploads.unsupported_type');
    expect(await storedKeys(announced.task_id)).toEqual([]);
  });

  it('accepts no bytes once it is finished, cancelled or deleted', async () => {
    const finished = await announce();
    await patch(finished.resumable_url, 0, FILE);
    for (const method of ['PATCH', 'DELETE'])
      expect(await startAndRead(method, finished.resumable_url, { 'upload-offset': SIZE })).toMatchObject({
        status: 409,
        code: 'uploads.closed',
      });
    await process(finished).expect(202);

    const [ended, cancelled, deleted] = [await announce(), await announce(), await announce()];
    for (const { resumable_url } of [ended, cancelled, deleted])
      expect((await patch(resumable_url, 0, FILE.subarray(0, HALF))).status).toBe(204);
    expect((await tus('DELETE', ended.resumable_url)).status).toBe(204);
    expect((await visitor.task(ended.task_id)).status).toBe('cancelled');
    await visitor.post(`/tasks/${cancelled.task_id}/cancel`).expect(200);
    await visitor.delete('/tasks/delete', { task_ids: [deleted.task_id] }).expect(204);
    for (const [{ task_id, resumable_url }, status] of [
      [ended, 409],
      [cancelled, 409],
      [deleted, 404],
    ] as const) {
      expect(await storedKeys(task_id)).toEqual([]);
      expect((await patch(resumable_url, HALF, FILE.subarray(HALF))).status).toBe(status);
    }
  });

  it('leaves nothing when its task is cancelled meanwhile', async () => {
    const { task_id, resumable_url } = await announce();
    const sending = startPatch(resumable_url, 0, SIZE);
    const response = tusResponseOf(sending);
    sending.write(FILE.subarray(0, HALF));
    await until(async () => (await storedKeys(task_id)).length > 2, 'parts to be stored');
    await visitor.post(`/tasks/${task_id}/cancel`).expect(200);
    sending.end(FILE.subarray(HALF));
    expect(await response).toMatchObject({ status: 409, code: 'uploads.closed' });
    expect(await storedKeys(task_id)).toEqual([]);
  });

  it('is deleted with an erased account', async () => {
    const member = await api.member();
    const { task_id, resumable_url } = await member.announce({ size_bytes: SIZE });
    await patch(resumable_url ?? '', 0, FILE.subarray(0, HALF));
    expect((await storedKeys(task_id)).length).toBeGreaterThan(0);
    await member.delete('/users/@me').expect(204);
    await until(async () => (await storedKeys(task_id)).length === 0, 'the parts to be deleted');
  });

  it('needs the signature of its own address', async () => {
    const [mine, theirs] = [await announce(), await announce()];
    const secret = api.environment.CLEARFRAME_SIGNING_SECRET ?? '';
    const signed = (expires: number, key: string) => {
      const query = signQuery(secret, 'TUS', key, { expires: String(Math.floor(Date.now() / 1000) + expires) });
      return `${api.url}/media/resumable/${mine.task_id}?${query}`;
    };
    const addresses = [
      mine.resumable_url.replace(mine.task_id, theirs.task_id),
      mine.resumable_url.replace(/expires=\d+/, 'expires=99999999999'),
      mine.resumable_url.split('?', 1)[0] ?? '',
      signed(60, objectKeys.uploadParts(theirs.task_id)),
    ];
    for (const url of addresses) {
      expect(await patch(url, 0, FILE)).toMatchObject({ status: 403, code: 'uploads.url_invalid' });
      expect((await tus('HEAD', url)).status).toBe(403);
      expect((await tus('DELETE', url)).status).toBe(403);
    }
    expect(await patch(signed(-1, objectKeys.uploadParts(mine.task_id)), 0, FILE)).toMatchObject({
      status: 410,
      code: 'uploads.expired',
    });
    expect((await tus('HEAD', `${api.url}/media/resumable/x?expires=1&signature=x`)).status).toBe(404);
    expect(await storedKeys(mine.task_id)).toEqual([]);
  });

  it('stays open after the address of the single PUT has expired, and is deleted when its own expires', async () => {
    const announced = await announce();
    await patch(announced.resumable_url, 0, FILE.subarray(0, HALF));
    await api.sql(`UPDATE tasks SET upload_expires_at = upload_expires_at - interval '23 hours' WHERE id = $1`, [
      announced.task_id,
    ]);
    await expiryPass();
    expect((await visitor.task(announced.task_id)).status).toBe('uploading');
    await expire(announced.task_id);
    await expiryPass();
    expect(await visitor.task(announced.task_id)).toMatchObject({ status: 'invalid', error_code: 'uploads.expired' });
    expect(await storedKeys(announced.task_id)).toEqual([]);
    expect(await patch(announced.resumable_url, HALF, FILE.subarray(HALF))).toMatchObject({ status: 410 });
  });

  it('can be replaced by the single PUT', async () => {
    const announced = await announce();
    await patch(announced.resumable_url, 0, FILE.subarray(0, HALF));
    expect((await put(announced, FILE)).status).toBe(200);
    await process(announced).expect(202);
    expect(await storedKeys(announced.task_id)).toEqual([objectKeys.input(announced.task_id)]);
  });
});

function startAndRead(method: string, url: string, headers: Readonly<Record<string, string | number>>) {
  const sending = startTus(method, url, { 'content-type': 'application/offset+octet-stream', ...headers });
  sending.end();
  return tusResponseOf(sending);
}
