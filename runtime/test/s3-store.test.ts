import { createHash } from 'node:crypto';
import { access, copyFile, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ObjectStore, openObjectStore, StorageConfig } from '../src/storage/index.js';
import { type S3Server, startS3Server } from './s3-server.js';

let server: S3Server;
let store: ObjectStore;
beforeAll(async () => {
  server = await startS3Server({ checksSignatures: true });
  for (const [name, value] of Object.entries(server.environment)) vi.stubEnv(name, value);
  store = await openObjectStore(StorageConfig.fromEnvironment(server.environment));
});
afterAll(async () => {
  await store.close();
  await server.stop();
  vi.unstubAllEnvs();
});

const upload = { key: 'uploads/a', contentType: 'image/png', maxBytes: 100, expiresInSeconds: 60 };
const body = 'twelve bytes';

describe('the S3 store', () => {
  it('uses a conditional PUT for putOnce', async () => {
    await store.putOnce('results/a/report.json', Buffer.from('{}'), 'application/json');
    expect(server.puts.at(-1)).toMatchObject({ 'if-none-match': '*', 'content-type': 'application/json' });
    await store.put('results/a/report.json', Buffer.from('{}'));
    expect(server.puts.at(-1)).not.toHaveProperty('if-none-match');
  });

  it('rejects while the bucket can’t be written', async () => {
    const missing = await openObjectStore(
      StorageConfig.fromEnvironment({ ...server.environment, S3_BUCKET: 'no-such-bucket' }),
    );
    await expect(missing.checkWritable()).rejects.toThrow();
    await expect(missing.read('results/a/report.json')).rejects.toThrow('bucket');
    await missing.close();
  });
});

describe('a copy of an object', () => {
  it('is kept while its process runs, and deleted when the process was killed', async () => {
    await store.put('results/a/copied', Buffer.from(body));
    const { path, release } = await store.fetch('results/a/copied');
    const left = path.replace(/-[0-9a-f-]{36}$/, '').replace(/\.\d+(\.\d*)$/, '.1$1-left');
    expect(left).not.toBe(path);
    await copyFile(path, left);
    await store.removeAbandoned();
    expect(await readFile(path, 'utf8')).toBe(body);
    await expect(access(left)).rejects.toMatchObject({ code: 'ENOENT' });
    await release();
  });
});

describe('a signed upload to S3', () => {
  it('accepts the bytes with its headers', async () => {
    const { url, headers } = await store.signUpload(upload);
    expect((await fetch(url, { method: 'PUT', headers, body })).status).toBe(200);
    expect((await store.readStart('uploads/a', 100)).toString()).toBe(body);
  });

  it('signs type, size and checksum if known', async () => {
    const sha256 = createHash('sha256').update(body);
    const checksum = sha256.copy().digest('base64');
    const { url, headers } = await store.signUpload({ ...upload, sizeBytes: 12, sha256: sha256.digest('hex') });
    expect(headers).toEqual({ 'Content-Type': 'image/png', 'x-amz-checksum-sha256': checksum });
    expect(new URL(url).searchParams.get('X-Amz-SignedHeaders')).toBe(
      'content-length;content-type;host;x-amz-checksum-sha256',
    );
    expect((await fetch(url, { method: 'PUT', headers, body })).status).toBe(200);
  });

  it('has a known checksum if it declared one', async () => {
    const sha256 = createHash('sha256').update(body).digest('hex');
    const { url, headers } = await store.signUpload({ ...upload, sha256 });
    expect((await fetch(url, { method: 'PUT', headers, body })).status).toBe(200);
    const readsBefore = server.gets.length;
    expect(await store.sha256Of(upload.key)).toBe(sha256);
    expect(server.gets).toHaveLength(readsBefore);
    await store.put(upload.key, Buffer.from(body));
    expect(await store.sha256Of(upload.key)).toBe(sha256);
    expect(server.gets).toHaveLength(readsBefore + 1);
  });

  it.each([
    ['another type', { 'Content-Type': 'text/html' }, body],
    ['another size', { 'Content-Type': 'image/png' }, 'a body of another size'],
  ])('is rejected with %s', async (_, headers, sent) => {
    const { url } = await store.signUpload({ ...upload, sizeBytes: 12 });
    expect((await fetch(url, { method: 'PUT', headers, body: sent })).status).toBe(403);
  });

  it('is valid for one key, one method and a limited time', async () => {
    const { url, headers } = await store.signUpload(upload);
    const other = url.replace('uploads/a', 'uploads/b');
    expect((await fetch(other, { method: 'PUT', headers, body })).status).toBe(403);
    expect((await fetch(url)).status).toBe(403);
    const expired = await store.signUpload({ ...upload, expiresInSeconds: 0 });
    expect((await fetch(expired.url, { method: 'PUT', headers, body })).status).toBe(403);
  });
});

describe('a signed read from S3', () => {
  const grant = { key: 'results/a/b.jpg', contentType: 'image/jpeg', fileName: 'photo.jpg', expiresInSeconds: 60 };

  it('responds with the signed type and name, and with ranges', async () => {
    await store.put(grant.key, Buffer.from('0123456789'), 'application/octet-stream');
    const url = await store.signRead(grant);
    const whole = await fetch(url);
    expect(whole.headers.get('content-type')).toBe('image/jpeg');
    expect(whole.headers.get('content-disposition')).toBe('attachment; filename="photo.jpg"');
    expect(await whole.text()).toBe('0123456789');
    const part = await fetch(url, { headers: { range: 'bytes=2-4' } });
    expect([part.status, await part.text()]).toEqual([206, '234']);
    expect((await fetch(url.replace('image%2Fjpeg', 'text%2Fhtml'))).status).toBe(403);
  });

  it('supports any file name', async () => {
    const url = await store.signRead({ ...grant, fileName: 'naïve "1".jpg' });
    expect(new URL(url).searchParams.get('response-content-disposition')).toBe(
      'attachment; filename="naive \\"1\\".jpg"; filename*=UTF-8\'\'na%C3%AFve%20%221%22.jpg',
    );
  });

  it('has a stable URL for some minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T12:00:01Z') });
    const first = await store.signRead(grant);
    vi.setSystemTime(new Date('2026-01-01T12:09:59Z'));
    expect(await store.signRead(grant)).toBe(first);
    vi.setSystemTime(new Date('2026-01-01T12:10:00Z'));
    expect(await store.signRead(grant)).not.toBe(first);
    vi.useRealTimers();
  });

  it('uses the public endpoint', async () => {
    const own = await openObjectStore(
      StorageConfig.fromEnvironment({ ...server.environment, S3_PUBLIC_ENDPOINT: 'https://media.photos.test' }),
    );
    expect(new URL(await own.signRead(grant)).origin).toBe('https://media.photos.test');
    expect(await own.sizeOf('results/a/none')).toBeNull();
    await own.close();
  });
});
