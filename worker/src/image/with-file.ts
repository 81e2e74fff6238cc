import { type FileHandle, open } from 'node:fs/promises';

/** Has a file open for the time of the work. */
export async function withFile<Result>(
  path: string,
  work: (file: FileHandle) => Promise<Result>,
  flags: 'r' | 'r+' | 'w' = 'r',
): Promise<Result> {
  const file = await open(path, flags);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

export const readStart = (path: string, length: number): Promise<Buffer> =>
  withFile(path, async (file) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  });

export async function writeAt(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
  }
}
