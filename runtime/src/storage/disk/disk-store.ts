import { randomUUID } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { access, copyFile, link, mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { inMilliseconds, inSeconds } from '@clearframe/contract';
import { NotConfiguredError } from '../../config/index.js';
import { namingFullDisk } from '../disk-full.js';
import {
  type ByteRange,
  deferStreamErrors,
  type LocalFile,
  ObjectMissingError,
  ObjectStore,
  type ReadGrant,
  requireObjectKey,
  requirePrefix,
  type SignedUpload,
  type StoredObject,
  type UploadGrant,
} from '../object-store.js';
import { signQuery } from '../signed-url.js';

/** Compares the code of a system error, such as `ENOENT`. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Resolves once the new file is on the disk. */
export async function writeDurably(path: string, body: Uint8Array | Readable): Promise<void> {
  if (!(body instanceof Uint8Array)) return pipeline(body, createWriteStream(path, { flags: 'wx', flush: true }));
  const file = await open(path, 'wx');
  try {
    await file.writeFile(body);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A new directory entry is durable only once its folder is synced. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** No key starts with a dot. */
const FOLDER = '.incoming';
/** Longest pause while writing a file. */
const ABANDONED_AFTER_MS = inMilliseconds.hours(1);

/** Files in progress, in a folder of the store: renaming publishes them. */
export class StagingFolder {
  private readonly folder: string;

  constructor(root: string) {
    this.folder = join(root, FOLDER);
  }

  /** Deletes what `use` leaves at the path. */
  async withFile(use: (path: string) => Promise<void>): Promise<void> {
    const path = join(this.folder, randomUUID());
    await mkdir(this.folder, { recursive: true });
    try {
      await use(path);
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Deletes files of killed processes. */
  async removeAbandoned(): Promise<void> {
    for (const name of await readdir(this.folder).catch(() => [])) {
      const path = join(this.folder, name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
    }
  }
}

/** Expiry is rounded up to this, so that a polling page gets the same URL. */
const READ_EXPIRY_STEP_SECONDS = inSeconds.minutes(10);

/** Signs URLs that an HTTP server verifies with the same secret. */
export interface UrlSigning {
  readonly secret: string;
  /** Prefix of keys; ends in a slash. */
  readonly baseUrl: string;
}

const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

/** Rethrows an error; a missing file is a missing object. */
const asMissing =
  (key: string) =>
  (error: unknown): never => {
    throw hasCode(error, 'ENOENT') ? new ObjectMissingError(key, { cause: error }) : error;
  };

/** Writing into a folder that is deleted, and deleting one that is written into, are tried again. */
const PUBLISH_ATTEMPTS = 10;
const DELETE_RETRIES = 10;
const DELETE_RETRY_MS = 5;

/** Objects as files of one folder, which all processes share. */
export class DiskStore extends ObjectStore {
  private readonly staging: StagingFolder;

  constructor(
    private readonly root: string,
    private readonly signing?: UrlSigning,
  ) {
    super();
    this.staging = new StagingFolder(root);
  }

  override async put(key: string, body: Uint8Array | Readable): Promise<void> {
    deferStreamErrors(body);
    await this.write(key, (file) => writeDurably(file, body), rename);
  }

  override async putOnce(key: string, body: Uint8Array): Promise<boolean> {
    try {
      // Unlike a rename, a link fails when the target exists.
      await this.write(key, (file) => writeDurably(file, body), link);
      return true;
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
      throw error;
    }
  }

  override async read(key: string, range?: ByteRange): Promise<Readable> {
    const file = await open(this.pathOf(key), 'r').catch(asMissing(key));
    return file.createReadStream({ ...range });
  }

  override async fetch(key: string): Promise<LocalFile> {
    const path = this.pathOf(key);
    await access(path, constants.R_OK).catch(asMissing(key));
    return { path, release: () => Promise.resolve() };
  }

  override async sizeOf(key: string): Promise<number | null> {
    try {
      return (await stat(this.pathOf(key))).size;
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return null;
      throw error;
    }
  }

  override async copy(from: string, to: string): Promise<void> {
    const source = this.pathOf(from);
    const copyDurably = async (file: string) => {
      await copyFile(source, file, constants.COPYFILE_FICLONE);
      const copied = await open(file, 'r+');
      await copied.sync().finally(() => copied.close());
    };
    await this.write(to, copyDurably, rename).catch(asMissing(from));
  }

  protected override async moveObject(from: string, to: string): Promise<void> {
    const [source, target] = [this.pathOf(from), this.pathOf(to)];
    await mkdir(dirname(target), { recursive: true });
    await rename(source, target).catch(asMissing(from));
    await syncFolder(dirname(target));
  }

  override async *list(prefix: string): AsyncGenerator<StoredObject> {
    const folder = await opendir(join(this.root, requirePrefix(prefix))).catch((error) => {
      if (hasCode(error, 'ENOENT')) return null;
      throw error;
    });
    for await (const entry of folder ?? []) {
      const key = `${prefix}${entry.name}`;
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) yield* this.list(`${key}/`);
      // Null: deleted concurrently.
      const found = entry.isFile() ? await stat(join(this.root, key)).catch(() => null) : null;
      if (found) yield { key, sizeBytes: found.size, modifiedAt: found.mtime };
    }
  }

  override async delete(key: string): Promise<void> {
    const path = key.endsWith('/') ? join(this.root, requirePrefix(key)) : this.pathOf(key);
    // Repeated after a concurrent write into the folder.
    await rm(path, { recursive: true, force: true, maxRetries: DELETE_RETRIES, retryDelay: DELETE_RETRY_MS });
  }

  override async signUpload({ key, contentType, maxBytes, expiresInSeconds }: UploadGrant): Promise<SignedUpload> {
    const claims = { expires: String(nowInSeconds() + expiresInSeconds), max: String(maxBytes) };
    return { url: this.urlOf('PUT', key, claims), headers: { 'Content-Type': contentType } };
  }

  override async signRead({ key, contentType, fileName, expiresInSeconds }: ReadGrant): Promise<string> {
    const expires =
      Math.ceil((nowInSeconds() + expiresInSeconds) / READ_EXPIRY_STEP_SECONDS) * READ_EXPIRY_STEP_SECONDS;
    return this.urlOf('GET', key, { expires: String(expires), type: contentType, name: fileName });
  }

  override async checkWritable(): Promise<void> {
    await mkdir(this.root, { recursive: true });
    await access(this.root, constants.R_OK | constants.W_OK);
  }

  override removeAbandoned(): Promise<void> {
    return this.staging.removeAbandoned();
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }

  private urlOf(method: string, key: string, claims: Readonly<Record<string, string>>): string {
    if (!this.signing) throw new NotConfiguredError('signed URLs');
    const query = signQuery(this.signing.secret, method, requireObjectKey(key), claims);
    return `${this.signing.baseUrl}${key}?${query}`;
  }

  /** Publishes a temporary file under the key atomically. */
  private async write(
    key: string,
    fill: (file: string) => Promise<void>,
    publish: (from: string, to: string) => Promise<void>,
  ): Promise<void> {
    const target = this.pathOf(key);
    const folder = dirname(target);
    await this.staging.withFile(async (file) => {
      await namingFullDisk(this.root, () => fill(file));
      for (let attempt = 1; ; attempt++) {
        try {
          await mkdir(folder, { recursive: true });
          await publish(file, target);
          break;
        } catch (error) {
          // The folder was deleted concurrently.
          if (!hasCode(error, 'ENOENT') || attempt === PUBLISH_ATTEMPTS) throw error;
        }
      }
      await syncFolder(folder).catch((error) => {
        if (!hasCode(error, 'ENOENT')) throw error;
      });
    });
  }

  private pathOf(key: string): string {
    return join(this.root, requireObjectKey(key));
  }
}
