import { statfs } from 'node:fs/promises';
import { maxBytesOf, megabytes, VIDEO_LIMITS } from '@clearframe/contract';

/** The disk of a folder is full, or its quota is used up. */
export class DiskFullError extends Error {
  override readonly name = 'DiskFullError';

  constructor(
    readonly folder: string,
    { reason = `no space is left on the disk of ${folder}`, ...options }: ErrorOptions & { reason?: string } = {},
  ) {
    super(reason, options);
  }
}

/** An upload of the largest file, a video, and its copy while parts are joined or it is processed. */
const NEEDED_BYTES = 2 * maxBytesOf(VIDEO_LIMITS.business);

/** @throws DiskFullError while less is free than an upload needs */
export async function requireSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes >= NEEDED_BYTES) return;
  const [free, needed] = [freeBytes, NEEDED_BYTES].map((bytes) => `${Math.floor(bytes / megabytes(1))} MB`);
  throw new DiskFullError(folder, {
    reason: `${free} are free on the disk of ${folder}, and an upload needs ${needed}`,
  });
}

/** Codes of Node, and texts of programs and of errors that another process has sent. */
const REASONS = /\b(?:ENOSPC|EDQUOT)\b|No space left on device|Disk quota exceeded/;

/** Does work that writes into a folder. @throws DiskFullError */
export async function namingFullDisk<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const isUnnamed = cause instanceof Error && !(cause instanceof DiskFullError) && REASONS.test(cause.message);
    throw isUnnamed ? new DiskFullError(folder, { cause }) : cause;
  }
}
