/** The disk of a folder is full, or its quota is used up. */
export class DiskFullError extends Error {
  override readonly name = 'DiskFullError';

  constructor(
    readonly folder: string,
    options?: ErrorOptions,
  ) {
    super(`no space is left on the disk of ${folder}`, options);
  }
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
