import { mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DiskStore } from './disk-store.js';
import { ObjectMissingError, UnconfiguredObjectStore } from './object-store.js';

let root: string;
let store: DiskStore;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'clearframe-store-'));
  store = new DiskStore(root);
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('the disk store', () => {
  it('gives back what was put, over what was there', async () => {
    await store.put('results/a/master.png', Buffer.from('one'));
    await store.put('results/a/master.png', Buffer.from('two'));
    expect(await readFile((await store.fetch('results/a/master.png')).path, 'utf8')).toBe('two');
  });

  it('lets exactly one of many writers put an object once', async () => {
    const writers = Array.from({ length: 8 }, (_, index) =>
      store.putOnce('results/a/report.json', Buffer.from(`${index}`)),
    );
    const won = (await Promise.all(writers)).flatMap((first, index) => (first ? [index] : []));
    expect(won).toHaveLength(1);
    expect(await store.readJson('results/a/report.json')).toBe(won[0]);
  });

  it('leaves nothing half written behind', async () => {
    await store.put('results/a', Buffer.from('x'));
    await store.putOnce('results/b', Buffer.from('x'));
    await store.putOnce('results/b', Buffer.from('y'));
    await expect(store.put('results/a/below-a-file', Buffer.from('x'))).rejects.toThrow();
    expect(await readdir(join(root, '.incoming-worker'))).toEqual([]);
  });

  it('throws away what a killed worker left, and nothing newer', async () => {
    await store.put('results/a', Buffer.from('x'));
    const [old, recent] = ['old', 'recent'].map((name) => join(root, '.incoming-worker', name)) as [string, string];
    await writeFile(old, 'x');
    await writeFile(recent, 'x');
    const anHourAgo = new Date(Date.now() - 3_600_000);
    await utimes(old, anHourAgo, anHourAgo);
    await store.sweep();
    expect(await readdir(join(root, '.incoming-worker'))).toEqual(['recent']);
  });

  it('says when there is no object', async () => {
    await expect(store.fetch('inputs/gone')).rejects.toBeInstanceOf(ObjectMissingError);
    expect(await store.readJson('inputs/gone')).toBeNull();
  });

  it.each(['../outside', '/etc/passwd', 'a/../../b', '.incoming-worker/x', 'a//b', 'a/', '', 'a\0b'])(
    'refuses the key %j',
    async (key) => {
      await expect(store.fetch(key)).rejects.toThrow('not safe');
      await expect(store.put(key, Buffer.from('x'))).rejects.toThrow('not safe');
    },
  );

  it('knows when it cannot be written to', async () => {
    await store.checkWritable();
    const dangling = join(root, 'dangling');
    await symlink(join(root, 'file', 'below'), dangling);
    await writeFile(join(root, 'file'), 'x');
    await expect(new DiskStore(dangling).checkWritable()).rejects.toThrow();
  });
});

describe('a store that nobody configured', () => {
  it('says so', async () => {
    const refusal = 'trying to use object storage, but this service has not been configured';
    const unconfigured = new UnconfiguredObjectStore();
    await expect(unconfigured.fetch()).rejects.toThrow(refusal);
    await expect(unconfigured.checkWritable()).rejects.toThrow(refusal);
  });
});
