import { mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { inMilliseconds } from '@clearframe/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyQuery } from '../signed-url.js';
import { DiskStore } from './disk-store.js';

const SECRET = 'a secret of at least 32 characters';

let root: string;
let store: DiskStore;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'clearframe-disk-'));
  store = new DiskStore(root, { secret: SECRET, baseUrl: 'https://photos.test/media/' });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const stagedFiles = () => readdir(join(root, '.incoming'));

describe('the disk store', () => {
  it('leaves no temporary files behind', async () => {
    await store.put('results/a', Buffer.from('x'));
    await store.putOnce('results/b', Buffer.from('x'));
    await store.putOnce('results/b', Buffer.from('y'));
    await expect(store.put('results/a/below-a-file', Buffer.from('x'))).rejects.toThrow();
    async function* broken() {
      yield 'half';
      throw new Error('broken');
    }
    await expect(store.put('results/c', Readable.from(broken()))).rejects.toThrow('broken');
    expect(await stagedFiles()).toEqual([]);
  });

  it('deletes a folder into which objects are written, and stores those', async () => {
    let isWriting = true;
    const deleteRepeatedly = async () => {
      while (isWriting) await store.delete('parts/');
    };
    const write = async () => {
      for (let at = 0; at < 100; at++) expect(await store.putOnce(`parts/${at}`, Buffer.from('x'))).toBe(true);
      isWriting = false;
    };
    await Promise.all([write(), deleteRepeatedly()]);
  });

  it('deletes files of killed processes, and none that may still be written', async () => {
    await store.put('a', Buffer.from('x'));
    for (const name of ['old', 'recent']) await writeFile(join(root, '.incoming', name), 'x');
    const anHourAgo = new Date(Date.now() - inMilliseconds.hours(1) - 1_000);
    await utimes(join(root, '.incoming', 'old'), anHourAgo, anHourAgo);
    await store.removeAbandoned();
    expect(await stagedFiles()).toEqual(['recent']);
  });

  it('rejects while the folder can’t be written', async () => {
    const dangling = join(root, 'dangling');
    await symlink(join(root, 'file', 'below'), dangling);
    await writeFile(join(root, 'file'), 'x');
    await expect(new DiskStore(dangling).checkWritable()).rejects.toThrow();
  });
});

describe('a signed URL of the disk store', () => {
  const grant = { key: 'results/a/b.jpg', contentType: 'image/jpeg', fileName: 'naïve.jpg', expiresInSeconds: 60 };
  const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams);
  const reading = { method: 'GET', key: grant.key, names: ['expires', 'type', 'name'] };

  it('allows reading one object', async () => {
    const url = await store.signRead(grant);
    expect(url.startsWith('https://photos.test/media/results/a/b.jpg?')).toBe(true);
    expect(verifyQuery(SECRET, queryOf(url), reading)).toMatchObject({ type: 'image/jpeg', name: 'naïve.jpg' });
    expect(verifyQuery(SECRET, queryOf(url), { ...reading, key: 'results/a/c.jpg' })).toBe('invalid');
    expect(verifyQuery(SECRET, queryOf(url), { ...reading, method: 'PUT' })).toBe('invalid');
    expect(verifyQuery('another', queryOf(url), reading)).toBe('invalid');
    expect(verifyQuery(SECRET, { ...queryOf(url), type: 'text/html' }, reading)).toBe('invalid');
  });

  it('allows one upload until it expires', async () => {
    const upload = { key: 'uploads/a', contentType: 'image/png', maxBytes: 10 };
    const verify = (url: string) =>
      verifyQuery(SECRET, queryOf(url), { method: 'PUT', key: upload.key, names: ['expires', 'max'] });
    const { url, headers } = await store.signUpload({ ...upload, expiresInSeconds: 60 });
    expect(headers).toEqual({ 'Content-Type': 'image/png' });
    expect(verify(url)).toMatchObject({ max: '10' });
    expect(verify((await store.signUpload({ ...upload, expiresInSeconds: -1 })).url)).toBe('expired');
  });

  it('is not issued without a secret', async () => {
    await expect(new DiskStore(root).signRead(grant)).rejects.toThrow('has not been configured');
  });
});
