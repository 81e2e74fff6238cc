import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { TestApi } from '../application.js';

/** Like the disk store's `put`, without waiting for the disk. */
export async function writeObject(api: TestApi, key: string, bytes: Buffer): Promise<void> {
  const path = api.pathOf(key);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    await writeObject(api, key, bytes);
  }
}
