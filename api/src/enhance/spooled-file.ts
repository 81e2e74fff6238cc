import { randomUUID } from 'node:crypto';
import { open, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';

/**
 * Writes a stream to a temporary file, to read what follows it in its request first.
 * @returns the file's bytes. It has no name: its space is freed when they have been read, or when the process ends
 */
export async function spool(source: Readable): Promise<Readable> {
  const file = path.join(tmpdir(), `clearframe-${randomUUID()}`);
  const handle = await open(file, 'wx+', 0o600);
  try {
    await unlink(file);
    await writeFile(handle, source);
    return handle.createReadStream({ start: 0 });
  } catch (error) {
    await handle.close();
    throw error;
  }
}
