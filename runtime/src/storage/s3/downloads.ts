import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { hasRunningOwner, OWN_FILES } from '../../process/owned-files.js';
import { namingFullDisk } from '../disk-full.js';
import type { LocalFile } from '../object-store.js';

const PREFIX = 'clearframe-object-';

/** A temporary copy, readable by this user only. @throws errors of the source */
export async function download(source: Readable): Promise<LocalFile> {
  const path = join(tmpdir(), `${PREFIX}${OWN_FILES}${randomUUID()}`);
  const release = () => rm(path, { force: true });
  try {
    await namingFullDisk(tmpdir(), () => pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o600 })));
  } catch (error) {
    await release();
    throw error;
  }
  return { path, release };
}

/** Deletes copies that processes left behind when they were killed. */
export async function removeAbandonedDownloads(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX) || hasRunningOwner(name.slice(PREFIX.length))) continue;
    await rm(join(tmpdir(), name), { force: true });
  }
}
