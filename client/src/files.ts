/** Files of Node, Deno and Bun, found without an import that bundlers for browsers would have to resolve. */
function builtin<Name extends 'node:fs' | 'node:fs/promises' | 'node:path'>(name: Name) {
  const module = globalThis.process?.getBuiltinModule?.(name);
  if (!module) throw new TypeError('Files can be named by their path in Node, Deno and Bun only; pass a File or Blob.');
  return module;
}

/** Reads the file when it is sent, not now. */
export async function openFile(path: string): Promise<{ blob: Blob; name: string }> {
  const blob = await builtin('node:fs').openAsBlob(path);
  return { blob, name: builtin('node:path').basename(path) };
}

/**
 * Writes a file that exists under its name only when it is complete.
 * @param write may be called again with an empty file where a connection was lost
 */
export async function writeWhole(
  path: string,
  write: (append: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
  { overwrite, retry }: { overwrite: boolean; retry: <Result>(attempt: () => Promise<Result>) => Promise<Result> },
): Promise<void> {
  const { constants, copyFile, link, open, rename, rm } = builtin('node:fs/promises');
  const { basename, dirname, join } = builtin('node:path');
  const temporary = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}.part`);
  const file = await open(temporary, 'wx');
  try {
    try {
      await retry(async () => {
        await file.truncate(0);
        let position = 0;
        await write(async (chunk) => {
          for (let written = 0; written < chunk.length; ) {
            const { bytesWritten } = await file.write(chunk, written, chunk.length - written, position);
            written += bytesWritten;
            position += bytesWritten;
          }
        });
      });
      await file.sync();
    } finally {
      await file.close();
    }
    if (overwrite) await rename(temporary, path);
    // Both fail for an existing name, unlike a renaming; not every file system has links.
    else
      await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') throw error;
        return copyFile(temporary, path, constants.COPYFILE_EXCL);
      });
  } finally {
    await rm(temporary, { force: true });
  }
}
