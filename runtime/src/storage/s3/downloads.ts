import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { inMilliseconds } from '@clearframe/contract';
import type { LocalFile } from '../object-store.js';

const PREFIX = 'clearframe-object-';
/** Longer than any job that reads a file. */
const ABANDONED_AFTER_MS = inMilliseconds.hours(24);

/** A temporary copy, readable by this user only. @throws errors of the source */
export async function download(source: Readable): Promise<LocalFile> {
  const path = join(tmpdir(), `${PREFIX}${randomUUID()}`);
  const release = () => rm(path, { force: true });
  try {
    await pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    await release();
    throw error;
  }
  return { path, release };
}

/** Deletes copies that processes left behind when they were killed. */
export async function removeAbandonedDownloads(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(tmpdir(), name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
  }
}
