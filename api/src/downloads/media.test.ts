import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { objectKeys } from '@clearframe/contract';
import { ObjectStore, signQuery } from '@clearframe/runtime/storage';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { picture } from '../../test/support/pictures.js';

const KEY = objectKeys.rendition(randomUUID(), randomUUID(), 'result', 'image/jpeg');
const BYTES = picture.jpeg(10_000);
let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await mkdir(dirname(api.pathOf(KEY)), { recursive: true });
  await writeFile(api.pathOf(KEY), BYTES);
});
afterAll(() => api.stop());

const addressOf = (fileName = 'me-clearframe.jpg', key = KEY, expiresInSeconds = 3_600) =>
  api.app.get(ObjectStore).signRead({ key, contentType: 'image/jpeg', fileName, expiresInSeconds });
const get = async (headers: Record<string, string> = {}, url?: string) =>
  fetch(url ?? (await addressOf()), { headers });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const codeOf = async (response: Response) => ((await response.json()) as { error_code: string }).error_code;

describe('a signed URL of a picture', () => {
  it('serves it with protective headers', async () => {
    const response = await get();
    expect(response.status).toBe(200);
    expect(await bytesOf(response)).toEqual(BYTES);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': '10000',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'private, max-age=3600',
      'content-disposition': 'inline; filename="me-clearframe.jpg"',
      'x-request-id': expect.any(String),
    });
  });

  it('is missing when it is deleted while it is opened', async () => {
    const { createReadStream } = fs;
    const opening = vi.spyOn(fs, 'createReadStream').mockImplementationOnce((path, options) => {
      fs.renameSync(path, `${path}.moved`);
      return createReadStream(path, options);
    });
    const response = await get();
    opening.mockRestore();
    fs.renameSync(`${api.pathOf(KEY)}.moved`, api.pathOf(KEY));
    expect([response.status, await codeOf(response)]).toEqual([404, 'media.not_found']);
  });

  it('stays the same for a while, so that polling pages keep their picture', async () => {
    expect(await addressOf()).toBe(await addressOf());
  });

  it('responds to HEAD like to GET, without the bytes', async () => {
    const response = await fetch(await addressOf(), { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('10000');
    expect(response.headers.get('content-type')).toBe('image/jpeg');
    expect(await bytesOf(response)).toHaveLength(0);
  });

  it.each([
    ['bytes=0-99', 0, 100],
    ['bytes=9900-', 9_900, 10_000],
    ['bytes=-100', 9_900, 10_000],
    ['bytes=9990-20000', 9_990, 10_000],
  ])('serves a range: %s', async (range, from, to) => {
    const response = await get({ Range: range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/10000`);
    expect(response.headers.get('content-type')).toBe('image/jpeg');
    expect(await bytesOf(response)).toEqual(BYTES.subarray(from, to));
  });

  it('responds with 416 to a range beyond the end', async () => {
    const response = await get({ Range: 'bytes=10000-' });
    expect([response.status, await codeOf(response)]).toEqual([416, 'media.range_invalid']);
    expect(response.headers.get('content-range')).toBe('bytes */10000');
  });

  it('responds with 304 when the client has it', async () => {
    const path = (await addressOf()).slice(api.url.length);
    const { headers } = await api.http.get(path).expect(200);
    await api.http
      .get(path)
      .set('If-None-Match', headers.etag ?? '')
      .expect(304);
  });

  it.each([
    ['plain.jpg', 'filename="plain.jpg"'],
    ['Grüße aus Zürich.jpg', "filename*=UTF-8''Gr%C3%BC%C3%9Fe%20aus%20Z%C3%BCrich.jpg"],
    ['写真 🌄.jpg', "filename*=UTF-8''%E5%86%99%E7%9C%9F%20%F0%9F%8C%84.jpg"],
    ['a"; x=y.jpg', 'filename="a\\"; x=y.jpg"'],
    ['../../etc/passwd', 'filename="passwd"'],
  ])("is saved under the uploaded file's name: %s", async (name, expected) => {
    const inline = await get({}, await addressOf(name));
    expect(inline.headers.get('content-disposition')).toMatch(/^inline;/);
    const saved = await get({}, `${await addressOf(name)}&download=1`);
    expect(saved.status).toBe(200);
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(saved.headers.get('content-disposition')).toContain(expected);
  });
});

describe('an invalid URL', () => {
  it.each([
    ['type', 'text/html'],
    ['name', 'evil.html'],
    ['expires', '99999999999'],
    ['signature', 'x'.repeat(43)],
  ])('is 403 with another %s', async (name, value) => {
    const url = new URL(await addressOf());
    url.searchParams.set(name, value);
    const response = await get({}, url.href);
    expect([response.status, await codeOf(response)]).toEqual([403, 'media.url_invalid']);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('is 403 for another file', async () => {
    const url = (await addressOf()).replace(KEY, KEY.replace('result.jpg', 'master.png'));
    expect((await get({}, url)).status).toBe(403);
  });

  it('is 403 when it is the upload URL', async () => {
    const taskId = randomUUID();
    const secret = api.environment.CLEARFRAME_SIGNING_SECRET ?? '';
    const claims = { expires: '99999999999', type: 'image/jpeg', name: 'x' };
    const query = signQuery(secret, 'PUT', objectKeys.upload(taskId), claims);
    expect((await get({}, `${api.url}/media/${objectKeys.upload(taskId)}?${query}`)).status).toBe(403);
  });

  it('is 403 when it has expired', async () => {
    const response = await get({}, await addressOf('x.jpg', KEY, -3_600));
    expect([response.status, await codeOf(response)]).toEqual([403, 'media.url_expired']);
  });

  it('is 404 when the file is gone', async () => {
    const response = await get({}, await addressOf('x.jpg', objectKeys.input(randomUUID())));
    expect([response.status, await codeOf(response)]).toEqual([404, 'media.not_found']);
  });

  it.each([
    '/media/../../etc/passwd',
    '/media/..%2f..%2fetc%2fpasswd',
    '/media/%2e%2e/%2e%2e/etc/passwd',
    '/media/results/..%5c..%5cx',
    '/media//etc/passwd',
    '/media/%00',
    '/media/results/%2e/x',
    '/media/.hidden',
    '/media/',
    '/media',
    '/media/%',
  ])('stays in the folder: %s', async (path) => {
    const { status, body } = await api.http.get(`${path}?expires=99999999999&type=text/plain&name=x&signature=x`);
    expect([403, 404]).toContain(status);
    expect(body.error_code).toEqual(expect.any(String));
  });

  it('is 404 for a folder, even with a valid signature', async () => {
    const secret = api.environment.CLEARFRAME_SIGNING_SECRET ?? '';
    const expires = String(Math.ceil(Date.now() / 1000) + 60);
    for (const key of ['results/', 'results']) {
      const query = signQuery(secret, 'GET', key, { expires, type: 'image/jpeg', name: 'x' });
      expect((await get({}, `${api.url}/media/${key}?${query}`)).status).toBe(404);
    }
  });
});
