import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasRunningOwner, OWN_FILES } from '@clearframe/runtime/process';
import { namingFullDisk } from '@clearframe/runtime/storage';

const ROOT = join(tmpdir(), 'clearframe-scratch');

/** A new, empty folder. @throws DiskFullError */
export const makeScratch = (): Promise<string> =>
  namingFullDisk(ROOT, async () => {
    await mkdir(ROOT, { recursive: true });
    return mkdtemp(join(ROOT, OWN_FILES));
  });

/** A program that has just been killed may still write. */
export const removeScratch = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5 });

/** A new, empty folder, removed after the work. @throws DiskFullError, errors of the work */
export async function withScratch<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await makeScratch();
  try {
    return await namingFullDisk(ROOT, () => work(folder));
  } finally {
    await removeScratch(folder);
  }
}

/** Removes folders of workers that were killed with all their processes. */
export async function removeAbandonedScratch(): Promise<void> {
  const folders = await readdir(ROOT).catch(() => []);
  const abandoned = folders.filter((name) => !hasRunningOwner(name));
  await Promise.all(abandoned.map((name) => rm(join(ROOT, name), { recursive: true, force: true })));
}
