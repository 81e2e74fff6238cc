import { randomUUID } from 'node:crypto';
import { access, constants, link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inMilliseconds, isSafeObjectKey } from '@clearframe/contract';
import { type LocalFile, ObjectMissingError, ObjectStore } from './object-store.js';

/** Begins with a dot, so that no key can ever name something inside it. */
const INCOMING = '.incoming-worker';
/** Files left by a worker that was killed are thrown away when they are older than any write takes. */
const ABANDONED_AFTER_MS = inMilliseconds.minutes(10);

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Objects as files below one folder, shared with `api`. */
export class DiskStore extends ObjectStore {
  constructor(private readonly root: string) {
    super();
  }

  async fetch(key: string): Promise<LocalFile> {
    const path = this.pathOf(key);
    await access(path, constants.R_OK).catch((error) => {
      throw hasCode(error, 'ENOENT') ? new ObjectMissingError(key) : error;
    });
    return { path, release: () => Promise.resolve() };
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.write(key, bytes, rename);
  }

  async putOnce(key: string, bytes: Uint8Array): Promise<boolean> {
    try {
      // A link, unlike a rename, fails where something is there already.
      await this.write(key, bytes, link);
      return true;
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
      throw error;
    }
  }

  async readJson(key: string): Promise<unknown> {
    try {
      return JSON.parse(await readFile(this.pathOf(key), 'utf8'));
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return null;
      throw error;
    }
  }

  async checkWritable(): Promise<void> {
    await mkdir(this.root, { recursive: true });
    await access(this.root, constants.W_OK);
  }

  /** Throws away what killed workers left half written. */
  async sweep(): Promise<void> {
    const folder = join(this.root, INCOMING);
    const names = await readdir(folder).catch(() => []);
    for (const name of names) {
      const path = join(folder, name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
    }
  }

  private async write(
    key: string,
    bytes: Uint8Array,
    publish: (from: string, to: string) => Promise<void>,
  ): Promise<void> {
    const target = this.pathOf(key);
    const incoming = join(this.root, INCOMING, randomUUID());
    await mkdir(dirname(incoming), { recursive: true });
    await mkdir(dirname(target), { recursive: true });
    try {
      await writeDurably(incoming, bytes);
      await publish(incoming, target);
      await syncFolder(dirname(target));
    } finally {
      await rm(incoming, { force: true });
    }
  }

  private pathOf(key: string): string {
    if (!isSafeObjectKey(key) || key.endsWith('/')) throw new Error('the object key is not safe');
    return join(this.root, key);
  }
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A rename is only on the disk once its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
