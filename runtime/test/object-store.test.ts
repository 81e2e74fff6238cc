import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ObjectMissingError, type ObjectStore, openObjectStore, StorageConfig } from '../src/storage/index.js';
import { startS3Server } from './s3-server.js';

interface Subject {
  readonly store: ObjectStore;
  stop(): Promise<void>;
}

async function onDisk(): Promise<Subject> {
  const folder = await mkdtemp(join(tmpdir(), 'clearframe-store-'));
  const store = await openObjectStore(StorageConfig.fromEnvironment({ CLEARFRAME_DATA: folder }));
  return { store, stop: () => rm(folder, { recursive: true, force: true }) };
}

async function onS3(): Promise<Subject> {
  const server = await startS3Server();
  for (const [name, value] of Object.entries(server.environment)) vi.stubEnv(name, value);
  const store = await openObjectStore(StorageConfig.fromEnvironment(server.environment));
  return {
    store,
    stop: async () => {
      await store.close();
      await server.stop();
      vi.unstubAllEnvs();
    },
  };
}

const bytes = (content: string): Buffer => Buffer.from(content);
const MEGABYTE = 1024 * 1024;

describe.each([
  ['disk', onDisk],
  ['S3', onS3],
])('the object store on %s', (_, start) => {
  let subject: Subject;
  let store: ObjectStore;
  beforeAll(async () => {
    subject = await start();
    store = subject.store;
  });
  afterEach(() => store.delete('t/'));
  afterAll(() => subject.stop());

  const contentOf = async (key: string): Promise<string> => text(await store.read(key));
  const keysBelow = async (prefix: string): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of store.list(prefix)) keys.push(key);
    return keys.sort();
  };

  it.each([
    ['short', 1],
    ['long', 12],
  ])('computes the SHA-256 of a %s object', async (_, megabytes) => {
    const chunks = Array.from({ length: megabytes }, (_, index) => Buffer.alloc(MEGABYTE, index));
    await store.put('t/a', Readable.from(chunks));
    const expected = createHash('sha256').update(Buffer.concat(chunks)).digest('hex');
    expect(await store.sha256Of('t/a')).toBe(expected);
    await expect(store.sha256Of('t/none')).rejects.toThrow(ObjectMissingError);
  });

  it('reads what was put, and replaces existing objects', async () => {
    await store.put('t/a', bytes('one'), 'text/plain');
    await store.put('t/a', bytes('two'));
    expect(await contentOf('t/a')).toBe('two');
    expect(await store.sizeOf('t/a')).toBe(3);
  });

  it('stores an empty object', async () => {
    await store.put('t/empty', bytes(''));
    expect(await store.sizeOf('t/empty')).toBe(0);
    expect(await contentOf('t/empty')).toBe('');
  });

  it('puts a stream of unknown length', async () => {
    const chunk = Buffer.alloc(MEGABYTE, 'x');
    await store.put('t/stream', Readable.from(Array.from({ length: 12 }, () => chunk)));
    expect(await store.sizeOf('t/stream')).toBe(12 * MEGABYTE);
  });

  it('keeps the former object, or none, when a stream fails', async () => {
    await store.put('t/a', bytes('whole'));
    async function* broken() {
      yield bytes('half');
      throw new Error('connection lost');
    }
    await expect(store.put('t/a', Readable.from(broken()))).rejects.toThrow('connection lost');
    await expect(store.put('t/b', Readable.from(broken()))).rejects.toThrow('connection lost');
    expect(await contentOf('t/a')).toBe('whole');
    expect(await keysBelow('t/')).toEqual(['t/a']);
  });

  it('rejects a stream that fails before it is read', async () => {
    const failed = new Readable({ read: () => undefined });
    const stored = store.put('t/a', failed);
    failed.destroy(new Error('connection lost'));
    await expect(stored).rejects.toThrow('connection lost');
    expect(await store.sizeOf('t/a')).toBeNull();
  });

  it('accepts exactly one of concurrent writers of an object', async () => {
    const writers = Array.from({ length: 8 }, (_, index) => store.putOnce('t/report.json', bytes(`${index}`)));
    const won = (await Promise.all(writers)).flatMap((isFirst, index) => (isFirst ? [index] : []));
    expect(won).toHaveLength(1);
    expect(await store.putOnce('t/report.json', bytes('late'))).toBe(false);
    expect(await store.readJson('t/report.json')).toBe(won[0]);
  });

  it.each([
    ['from the start', { start: 0, end: 3 }, '0123'],
    ['in the middle', { start: 4, end: 6 }, '456'],
    ['to the end', { start: 7 }, '789'],
    ['beyond the end', { start: 8, end: 100 }, '89'],
    ['past the end', { start: 10 }, ''],
  ])('reads a range %s', async (_, range, expected) => {
    await store.put('t/digits', bytes('0123456789'));
    expect(await text(await store.read('t/digits', range))).toBe(expected);
  });

  it('reads the first bytes', async () => {
    await store.put('t/digits', bytes('0123456789'));
    expect((await store.readStart('t/digits', 4)).toString()).toBe('0123');
    expect((await store.readStart('t/digits', 4_100)).toString()).toBe('0123456789');
  });

  it('fetches an object as a local file until it is released', async () => {
    await store.put('t/a', bytes('content'));
    const file = await store.fetch('t/a');
    expect(await readFile(file.path, 'utf8')).toBe('content');
    await file.release();
    expect(await contentOf('t/a')).toBe('content');
  });

  it('reports a missing object', async () => {
    await expect(store.read('t/none')).rejects.toBeInstanceOf(ObjectMissingError);
    await expect(store.readStart('t/none', 1)).rejects.toBeInstanceOf(ObjectMissingError);
    await expect(store.fetch('t/none')).rejects.toBeInstanceOf(ObjectMissingError);
    await expect(store.copy('t/none', 't/a')).rejects.toBeInstanceOf(ObjectMissingError);
    await expect(store.move('t/none', 't/a')).rejects.toBeInstanceOf(ObjectMissingError);
    expect(await store.sizeOf('t/none')).toBeNull();
    expect(await store.readJson('t/none')).toBeNull();
    expect(await keysBelow('t/none/')).toEqual([]);
  });

  it('copies, replacing the target', async () => {
    await store.put('t/from', bytes('new'));
    await store.put('t/to', bytes('old'));
    await store.copy('t/from', 't/to');
    expect([await contentOf('t/from'), await contentOf('t/to')]).toEqual(['new', 'new']);
  });

  it('moves, and moving again changes nothing', async () => {
    await store.put('t/from', bytes('moved'));
    await store.put('t/folder/to', bytes('old'));
    await store.move('t/from', 't/folder/to');
    await store.move('t/from', 't/folder/to');
    expect(await contentOf('t/folder/to')).toBe('moved');
    expect(await store.sizeOf('t/from')).toBeNull();
  });

  it('lists and deletes exactly what is below a prefix', async () => {
    const keys = ['t/a/1', 't/a/b/2', 't/a/b/3', 't/ab/4', 't/c'];
    for (const key of keys) await store.put(key, bytes(key));
    expect(await keysBelow('t/')).toEqual(keys);
    expect(await keysBelow('t/a/')).toEqual(keys.slice(0, 3));
    for await (const { key, sizeBytes, modifiedAt } of store.list('t/ab/')) {
      expect([key, sizeBytes]).toEqual(['t/ab/4', 6]);
      expect(Math.abs(Date.now() - modifiedAt.getTime())).toBeLessThan(60_000);
    }
    await store.delete('t/a/');
    await store.delete('t/a/');
    expect(await keysBelow('t/')).toEqual(['t/ab/4', 't/c']);
    await store.delete('t/c');
    await store.delete('t/c');
    expect(await keysBelow('t/')).toEqual(['t/ab/4']);
  });

  it.each(['../outside', '/etc/passwd', 'a/../../b', '.incoming/x', 'a//b', 'a/', '', 'a\0b'])(
    'rejects the key %j',
    async (key) => {
      await expect(store.read(key)).rejects.toThrow('not safe');
      await expect(store.put(key, bytes('x'))).rejects.toThrow('not safe');
      await expect(store.copy('t/a', key)).rejects.toThrow('not safe');
      await expect(store.sizeOf(key)).rejects.toThrow('not safe');
    },
  );

  it.each(['../', '/', 'a/../', '.incoming/'])('rejects listing and deleting below %j', async (prefix) => {
    await expect(keysBelow(prefix)).rejects.toThrow('not safe');
    await expect(store.delete(prefix)).rejects.toThrow('not safe');
  });

  it('passes its write check', async () => {
    await store.checkWritable();
    await store.checkWritable();
    await store.removeAbandoned();
  });
});
