import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { objectKeys } from '@clearframe/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { notPictures, picture, pngOf } from '../../test/support/pictures.js';
import { put, type Visitor } from '../../test/support/visitor.js';

let api: TestApi;
let visitor: Visitor;
beforeAll(async () => {
  api = await startApi();
  visitor = await api.guest();
});
afterAll(() => api.stop());

/** Compare with `equals`: `toEqual` compares byte by byte, for seconds. */
const stored = (key: string): Promise<Buffer> => readFile(api.pathOf(key));

const problem = async (response: Response) => {
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const body = (await response.json()) as { status: number; error_code: string; request_id: string };
  expect(body.status).toBe(response.status);
  expect(body.request_id).toBe(response.headers.get('x-request-id'));
  return [response.status, body.error_code];
};

describe('accepted bytes', () => {
  it('are stored unchanged', async () => {
    const announced = await visitor.announce();
    const bytes = picture.jpeg(300_000);
    const response = await put(announced, bytes);
    expect(response.status).toBe(200);
    expect((await stored(objectKeys.upload(announced.task_id))).equals(bytes)).toBe(true);
    const task = await visitor.task(announced.task_id);
    expect(task).toMatchObject({ status: 'uploading', file_progress: 1, input: { size_bytes: 300_000 } });
  });

  it.each([
    ['image/jpeg', picture.jpeg()],
    ['image/jpeg', picture.jpeg(21)],
    ['image/png', picture.png()],
    ['image/png', picture.pngWithLongProfile()],
    ['image/webp', picture.webp()],
    ['image/tiff', picture.tiff()],
    ['image/tiff', picture.tiff(1_000)],
    ['image/heic', picture.heic()],
    ['image/heif', picture.heif()],
    ['image/avif', picture.avif()],
    ['image/vnd.adobe.photoshop', picture.psd()],
  ])('are detected as %s, whatever type was declared', async (type, bytes) => {
    const announced = await visitor.announce({
      image_content_type: type === 'image/png' ? 'image/jpeg' : 'image/png',
    });
    expect((await put(announced, bytes)).status).toBe(200);
    expect((await visitor.task(announced.task_id)).input.content_type).toBe(type);
    await visitor.post(`/tasks/bulk-upload/${announced.bulk_upload_id}/process`).expect(202);
    expect((await visitor.task(announced.task_id)).input.content_type).toBe(type);
  });

  it.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'are not parsed when sent as %s',
    async (type) => {
      const announced = await visitor.announce();
      const bytes = picture.jpeg();
      expect((await put(announced, bytes, { 'Content-Type': type })).status).toBe(200);
      expect((await stored(objectKeys.upload(announced.task_id))).equals(bytes)).toBe(true);
    },
  );

  it('can be replaced until processing starts', async () => {
    const announced = await visitor.upload({}, picture.jpeg(5_000));
    const last = picture.png(7_000);
    expect((await put(announced, last)).status).toBe(200);
    await visitor.post(`/tasks/bulk-upload/${announced.bulk_upload_id}/process`).expect(202);
    expect((await stored(objectKeys.input(announced.task_id))).equals(last)).toBe(true);
    const { input } = await visitor.task(announced.task_id);
    const sha256 = createHash('sha256').update(last).digest('hex');
    expect(input).toMatchObject({ content_type: 'image/png', size_bytes: 7_000, sha256 });
    const { body } = await visitor.get('/users/@me/export').expect(200);
    expect(body.tasks.find((task: { task_id: string }) => task.task_id === announced.task_id)).toMatchObject({
      sha256,
      declared_sha256: null,
    });
  });

  it('are those of one of two concurrent requests', async () => {
    const announced = await visitor.announce();
    const versions = [picture.jpeg(900_000), picture.jpeg(800_000)];
    const responses = await Promise.all(versions.map((bytes) => put(announced, bytes)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const last = await stored(objectKeys.upload(announced.task_id));
    expect(versions.some((bytes) => bytes.equals(last))).toBe(true);
  });

  it('may match the declared size and hash', async () => {
    const bytes = picture.jpeg();
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const announced = await visitor.announce({ size_bytes: bytes.length, sha256 });
    expect((await put(announced, bytes)).status).toBe(200);
  });
});

describe('rejected bytes are not stored, and the task accepts another upload', () => {
  it.each(Object.entries(notPictures))('not a picture: %s', async (_name, bytes) => {
    const announced = await visitor.announce();
    expect(await problem(await put(announced, bytes))).toEqual([415, 'uploads.unsupported_type']);
    expect((await api.files()).filter((key) => key.includes(announced.task_id) || key.startsWith('.incoming'))).toEqual(
      [],
    );
    expect((await put(announced, picture.jpeg())).status).toBe(200);
  });

  it('over 100 megapixels by its header', async () => {
    const announced = await visitor.announce();
    const bytes = Buffer.concat([pngOf(10_001, 10_000), Buffer.alloc(8_000_000)]);
    expect(await problem(await put(announced, bytes))).toEqual([422, 'uploads.too_many_pixels']);
    expect((await put(announced, picture.jpeg())).status).toBe(200);
  });

  it('not a picture, with many bytes', async () => {
    const announced = await visitor.announce();
    const bytes = Buffer.concat([notPictures.pdf, Buffer.alloc(8_000_000)]);
    expect(await problem(await put(announced, bytes))).toEqual([415, 'uploads.unsupported_type']);
  });

  it('empty', async () => {
    const announced = await visitor.announce();
    expect(await problem(await put(announced, Buffer.alloc(0)))).toEqual([422, 'uploads.empty']);
  });

  it('of another size than declared', async () => {
    const announced = await visitor.announce({ size_bytes: 6_001 });
    expect(await problem(await put(announced, picture.jpeg(6_000)))).toEqual([422, 'uploads.size_mismatch']);
    expect(await problem(await put(announced, picture.jpeg(900_000)))).toEqual([422, 'uploads.size_mismatch']);
  });

  it('of another hash than declared', async () => {
    const announced = await visitor.announce({ sha256: 'a'.repeat(64) });
    expect(await problem(await put(announced, picture.jpeg()))).toEqual([422, 'uploads.checksum_mismatch']);
    expect((await api.files()).filter((key) => key.includes(announced.task_id) || key.startsWith('.incoming'))).toEqual(
      [],
    );
  });

  it('after processing has started', async () => {
    const announced = await visitor.process();
    const before = await stored(objectKeys.input(announced.task_id));
    expect(await problem(await put(announced, picture.jpeg()))).toEqual([409, 'uploads.closed']);
    expect((await stored(objectKeys.input(announced.task_id))).equals(before)).toBe(true);
    expect(await api.files()).not.toContain(objectKeys.upload(announced.task_id));
  });
});
