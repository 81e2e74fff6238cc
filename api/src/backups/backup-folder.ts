import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, statfs } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { type Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { ConfigurationError, type Environment } from '@clearframe/runtime/config';
import { ObjectMissingError, type ObjectStore, openObjectStore, StorageConfig } from '@clearframe/runtime/storage';
import { z } from 'zod';

/** What is wrong with a backup or its place, for the operator; nothing was changed. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const part = z.object({ sha256: z.string(), bytes: z.number() });
export type Part = z.infer<typeof part>;

const manifest = z.object({
  version: z.literal(1),
  id: z.string(),
  /** Time of the database's snapshot: what was committed later is not in the backup. */
  snapshotAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  /** Names of those that the database had. */
  migrations: z.array(z.string()),
  tables: z.array(part.extend({ name: z.string(), columns: z.array(z.string()), rows: z.number() })),
  /** Last values, as decimal numbers. */
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The list has one {@link MediaEntry} a line. */
  media: part.extend({ objects: z.number(), totalBytes: z.number() }),
  /** Names of the sealed secrets. */
  secrets: z.array(z.string()),
});
export type Manifest = z.infer<typeof manifest>;

const mediaEntry = z.object({
  key: z.string(),
  size: z.number(),
  /** Milliseconds since 1970: with key and size, says that an object is the one of an earlier backup. */
  modified: z.number(),
  sha256: z.string(),
});
export type MediaEntry = z.infer<typeof mediaEntry>;

const BACKUPS = 'backups/';
const MEDIA = 'media/';
const MANIFEST = 'manifest.json';

/**
 * Backups in a folder or bucket. Media are stored once for all of them, by content. A backup without a manifest, which is
 * written last, is unfinished.
 */
export class BackupFolder {
  private constructor(
    private readonly store: ObjectStore,
    private readonly prefix: string,
    /** Null for a bucket. */
    private readonly path: string | null,
  ) {}

  /**
   * @param address a folder, or `s3://bucket/prefix` in the service that the `S3_…` variables name
   * @throws BackupError for a folder inside the media, ConfigurationError
   */
  static async open(address: string, environment: Environment): Promise<BackupFolder> {
    const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(address) ?? [];
    if (bucket) {
      const config = StorageConfig.fromEnvironment({ ...environment, STORAGE_DRIVER: 's3', S3_BUCKET: bucket });
      return new BackupFolder(await openObjectStore(config), prefix && `${prefix.replace(/\/+$/, '')}/`, null);
    }
    if (/^\w+:\/\//.test(address))
      throw new ConfigurationError(`${address} is neither a folder nor s3://bucket/prefix`);
    const path = resolve(address);
    const media = StorageConfig.fromEnvironment(environment).settings;
    if (media.driver === 'disk' && isInside(path, media.root))
      throw new BackupError(`${path} is inside the media; choose a folder outside of ${media.root}`);
    return new BackupFolder(await openObjectStore(new StorageConfig({ driver: 'disk', root: path })), '', path);
  }

  /** Creates the folder, readable by this user only. @throws the error of a bucket or folder that can't be written */
  async prepare(): Promise<void> {
    if (this.path) await mkdir(this.path, { recursive: true, mode: 0o700 });
    await this.store.checkWritable();
    await this.store.removeAbandoned();
  }

  close(): Promise<void> {
    return this.store.close();
  }

  /** @throws BackupError while less is free; a bucket has no end */
  async requireSpace(neededBytes: number): Promise<void> {
    if (this.path) await requireFreeBytes(this.path, neededBytes);
  }

  /** Ids of finished backups, the oldest first, and of unfinished ones. */
  async ids(): Promise<{ finished: string[]; unfinished: string[] }> {
    const finished = new Set<string>();
    const all = new Set<string>();
    for await (const { key } of this.store.list(`${this.prefix}${BACKUPS}`)) {
      const [id = '', ...rest] = key.slice(this.prefix.length + BACKUPS.length).split('/');
      all.add(id);
      if (rest.join('/') === MANIFEST) finished.add(id);
    }
    return { finished: [...finished].sort(), unfinished: [...all].filter((id) => !finished.has(id)) };
  }

  /** @param id of a backup; the newest by default. @throws BackupError when there is none */
  async manifestOf(id?: string): Promise<Manifest> {
    const found = id ?? (await this.ids()).finished.at(-1);
    if (!found) throw new BackupError('there is no finished backup');
    const content = await this.store.readJson(this.keyOf(found, MANIFEST)).catch((cause: unknown) => {
      if (cause instanceof SyntaxError) throw new BackupError(`the manifest of ${found} is damaged`, { cause });
      throw cause;
    });
    if (content === null) throw new BackupError(`there is no finished backup ${found}`);
    const { data, error } = manifest.safeParse(content);
    if (!data || data.id !== found)
      throw new BackupError(`the manifest of ${found} is damaged, or of a newer version`, { cause: error });
    return data;
  }

  putManifest(content: Manifest): Promise<void> {
    return this.putFile(content.id, MANIFEST, Buffer.from(JSON.stringify(content, null, 2)));
  }

  putFile(id: string, name: string, body: Uint8Array): Promise<void> {
    return this.store.put(this.keyOf(id, name), body);
  }

  /** Null where the backup has no such file. */
  readJson(id: string, name: string): Promise<unknown> {
    return this.store.readJson(this.keyOf(id, name));
  }

  /** Stores a stream, compressed. */
  async putPart(id: string, name: string, source: Readable): Promise<Part> {
    const measured = measure();
    await transferred(
      pipeline(source, createGzip(), measured.stream),
      this.store.put(this.keyOf(id, name), measured.stream),
    );
    return measured.result();
  }

  /** Sends the content of a part. @throws BackupError when it is missing or not what was written */
  async readPart(id: string, name: string, expected: Part, target: Writable): Promise<void> {
    const measured = measure();
    try {
      await pipeline(await this.store.read(this.keyOf(id, name)), measured.stream, createGunzip(), target);
    } catch (cause) {
      if (cause instanceof ObjectMissingError) throw new BackupError(`${name} of ${id} is missing`, { cause });
      if (isGzipError(cause)) throw new BackupError(`${name} of ${id} is truncated or damaged`, { cause });
      throw cause;
    }
    if (measured.result().sha256 !== expected.sha256) throw new BackupError(`${name} of ${id} is truncated or damaged`);
  }

  /** @throws BackupError when the list is missing or damaged */
  async mediaOf({ id, media }: Manifest): Promise<MediaEntry[]> {
    const chunks: Buffer[] = [];
    const collected = new Writable({
      write(chunk, _encoding, done) {
        chunks.push(chunk);
        done();
      },
    });
    await this.readPart(id, MEDIA_LIST, media, collected);
    const lines = Buffer.concat(chunks).toString('utf8').split('\n').filter(Boolean);
    return lines.map((line) => mediaEntry.parse(JSON.parse(line)));
  }

  /** Stores a file under its content unless it is there. @param file stays the same when its name gets another content */
  async putMedia(file: FileHandle): Promise<{ sha256: string; size: number; isNew: boolean }> {
    const read = () => file.createReadStream({ start: 0, autoClose: false });
    const hash = createHash('sha256');
    await pipeline(read(), hash);
    const [sha256, { size }] = [hash.digest('hex'), await file.stat()];
    const isNew = (await this.store.sizeOf(this.mediaKey(sha256))) !== size;
    if (isNew) await this.store.put(this.mediaKey(sha256), read());
    return { sha256, size, isNew };
  }

  /** Sizes by content. */
  async storedMedia(): Promise<Map<string, number>> {
    const sizes = new Map<string, number>();
    for await (const { key, sizeBytes } of this.store.list(`${this.prefix}${MEDIA}`))
      sizes.set(key.slice(key.lastIndexOf('/') + 1), sizeBytes);
    return sizes;
  }

  /** @throws ObjectMissingError */
  readMedia(sha256: string): Promise<Readable> {
    return this.store.read(this.mediaKey(sha256));
  }

  /** Of what is stored, not of what its name says. @throws ObjectMissingError */
  async hashOfMedia(sha256: string): Promise<string> {
    const hash = createHash('sha256');
    await pipeline(await this.readMedia(sha256), hash);
    return hash.digest('hex');
  }

  /** Deletes all but the newest backups, what killed ones left behind, and media of none. */
  async prune(keep: number): Promise<string[]> {
    const { finished, unfinished } = await this.ids();
    const kept = finished.slice(-keep);
    const removed = finished.slice(0, -keep);
    // Read first: with a damaged list nothing is deleted.
    const needed = new Set<string>();
    for (const id of kept)
      for (const { sha256 } of await this.mediaOf(await this.manifestOf(id))) needed.add(this.mediaKey(sha256));
    for (const id of removed) {
      // Without its manifest it counts as unfinished, should this be interrupted.
      await this.store.delete(this.keyOf(id, MANIFEST));
      await this.store.delete(`${this.prefix}${BACKUPS}${id}/`);
    }
    for (const id of unfinished) await this.store.delete(`${this.prefix}${BACKUPS}${id}/`);
    for await (const { key } of this.store.list(`${this.prefix}${MEDIA}`))
      if (!needed.has(key)) await this.store.delete(key);
    return removed;
  }

  private keyOf(id: string, name: string): string {
    return `${this.prefix}${BACKUPS}${id}/${name}`;
  }

  private mediaKey(sha256: string): string {
    return `${this.prefix}${MEDIA}${sha256.slice(0, 2)}/${sha256}`;
  }
}

export const MEDIA_LIST = 'media.jsonl.gz';
export const tableFile = (table: string): string => `database/${table}.copy.gz`;

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith('..') && !isAbsolute(way);
}

const isGzipError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^Z_|^ERR_STREAM_PREMATURE_CLOSE$/.test(String(error.code));

/** @throws BackupError while less is free on the disk of a folder */
export async function requireFreeBytes(folder: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const [free, needed] = [bavail * bsize, neededBytes].map((bytes) => `${Math.ceil(bytes / 1_000_000)} MB`);
  if (bavail * bsize < neededBytes) throw new BackupError(`${folder} needs ${needed} of space, and ${free} are free`);
}

function measure() {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, result: (): Part => ({ sha256: hash.digest('hex'), bytes }) };
}

/** A failed target also breaks off the source; its error says why. */
async function transferred(source: Promise<void>, target: Promise<void>): Promise<void> {
  const [sent, stored] = await Promise.allSettled([source, target]);
  if (sent.status === 'rejected' && !isGzipError(sent.reason)) throw sent.reason;
  if (stored.status === 'rejected') throw stored.reason;
  if (sent.status === 'rejected') throw sent.reason;
}
