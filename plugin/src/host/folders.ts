import { storage } from 'uxp';
import { readJson, writeJson } from './store.ts';

const { localFileSystem, formats } = storage;

export interface Picture {
  readonly name: string;
  read(): Promise<Uint8Array>;
}

export interface Folder {
  readonly name: string;
  names(): Promise<ReadonlySet<string>>;
  pictures(): Promise<Picture[]>;
  write(name: string, bytes: Uint8Array): Promise<void>;
}

/** What the API reads, by extension. */
const PICTURE = /\.(?:png|jpe?g|tiff?|webp|psd|heic|heif|avif)$/i;

type Entry = NonNullable<Awaited<ReturnType<typeof localFileSystem.getFolder>>>;

function folderOf(folder: Entry): Folder {
  const entries = async () => (await folder.getEntries()).filter(({ isFile }) => isFile);
  return {
    name: folder.name,
    names: async () => new Set((await entries()).map(({ name }) => name)),
    pictures: async () =>
      (await entries())
        .filter(({ name }) => PICTURE.test(name) && !name.startsWith('.'))
        .map((entry) => ({
          name: entry.name,
          read: async () => new Uint8Array((await entry.read({ format: formats.binary })) as ArrayBuffer),
        })),
    async write(name, bytes) {
      const file = await folder.createFile(name, { overwrite: true });
      await file.write(bytes.slice().buffer, { format: formats.binary });
    },
  };
}

export interface Folders {
  readonly input: Folder;
  readonly output: Folder;
}

/** Asks for both, and remembers them. @returns null when the user chooses none */
export async function pickFolders(): Promise<Folders | null> {
  const input = await localFileSystem.getFolder();
  const output = input && (await localFileSystem.getFolder());
  if (!input || !output) return null;
  await writeJson(
    'folders',
    await Promise.all([input, output].map((one) => localFileSystem.createPersistentToken(one))),
  );
  return { input: folderOf(input), output: folderOf(output) };
}

/** Those that were chosen last, also before Photoshop was started. Null where there are none any more. */
export async function lastFolders(): Promise<Folders | null> {
  const tokens = await readJson('folders');
  if (!Array.isArray(tokens)) return null;
  try {
    const [input, output] = await Promise.all(
      tokens.map((token) => localFileSystem.getEntryForPersistentToken(String(token))),
    );
    return input && output ? { input: folderOf(input), output: folderOf(output) } : null;
  } catch {
    // Moved, deleted, or on a disk that isn't there.
    return null;
  }
}
