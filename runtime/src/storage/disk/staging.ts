import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inMilliseconds } from '@clearframe/contract';

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
