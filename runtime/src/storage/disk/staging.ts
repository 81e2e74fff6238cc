import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { inMilliseconds } from '@clearframe/contract';
import type { UploadedPart } from '../object-store.js';
import { writeDurably } from './files.js';

/** No key starts with a dot. */
const FOLDER = '.incoming';
const PARTS = 'parts-';
/** Longest pause while writing a file. */
const FILE_ABANDONED_AFTER_MS = inMilliseconds.hours(1);
/** Longest pause between two parts. */
const PARTS_ABANDONED_AFTER_MS = inMilliseconds.hours(24);

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

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

  async startParts(): Promise<string> {
    const id = randomUUID();
    await mkdir(this.partsOf(id), { recursive: true });
    return id;
  }

  /** @returns the part's MD5, like S3 */
  async putPart(id: string, partNumber: number, bytes: Uint8Array): Promise<string> {
    if (!Number.isInteger(partNumber) || partNumber < 1) throw new Error('part numbers start at 1');
    await this.withFile(async (path) => {
      await writeDurably(path, bytes);
      await rename(path, join(this.partsOf(id), String(partNumber)));
    });
    return createHash('md5').update(bytes).digest('hex');
  }

  joinParts(id: string, parts: readonly UploadedPart[]): Readable {
    const folder = this.partsOf(id);
    async function* bytes() {
      for (const { partNumber } of parts.toSorted((a, b) => a.partNumber - b.partNumber))
        yield* createReadStream(join(folder, String(partNumber)));
    }
    return Readable.from(bytes());
  }

  async dropParts(id: string): Promise<void> {
    await rm(this.partsOf(id), { recursive: true, force: true });
  }

  /** Deletes files of killed processes. */
  async removeAbandoned(): Promise<void> {
    for (const name of await readdir(this.folder).catch(() => [])) {
      const path = join(this.folder, name);
      const limit = name.startsWith(PARTS) ? PARTS_ABANDONED_AFTER_MS : FILE_ABANDONED_AFTER_MS;
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > limit) await rm(path, { recursive: true, force: true });
    }
  }

  private partsOf(id: string): string {
    if (!ID.test(id)) throw new Error('there is no such multipart upload');
    return join(this.folder, `${PARTS}${id}`);
  }
}
