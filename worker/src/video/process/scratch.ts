import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(tmpdir(), 'clearframe-videos');

/** A new, empty folder, removed after the work. */
export async function withScratch<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  await mkdir(ROOT, { recursive: true });
  const folder = await mkdtemp(join(ROOT, `${process.pid}-`));
  try {
    return await work(folder);
  } finally {
    // A program that has just been killed may still write.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Removes folders of workers that no longer run: everything may have been killed at once. */
export async function removeAbandonedScratch(): Promise<void> {
  const folders = await readdir(ROOT).catch(() => []);
  const abandoned = folders.filter((name) => !isRunning(Number(name.split('-', 1)[0])));
  await Promise.all(abandoned.map((name) => rm(join(ROOT, name), { recursive: true, force: true })));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
