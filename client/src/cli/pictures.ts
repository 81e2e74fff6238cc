import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, parse, relative, resolve, sep } from 'node:path';
import type { EnhanceOptions } from '../clearframe.ts';
import { addressIn, typeOfName } from '../inputs.ts';
import type { Format } from '../uploads.ts';
import { UsageError } from './exit-codes.ts';

const EXTENSIONS: Readonly<Record<Format, string>> = {
  jpeg: 'jpg',
  png: 'png',
  tiff: 'tif',
  psd: 'psd',
  'photoshop-tiff': 'tif',
};
const FORMATS: Readonly<Record<string, Format>> = {
  jpg: 'jpeg',
  jpeg: 'jpeg',
  png: 'png',
  tif: 'tiff',
  tiff: 'tiff',
  psd: 'psd',
};

/** A picture to enhance, and where its result goes. */
export interface Picture {
  /** A path or an address. */
  readonly source: string;
  /** As shown. */
  readonly name: string;
  readonly output: string;
  readonly format: Format;
}

interface Wanted {
  readonly out: string | undefined;
  readonly format: Format | undefined;
  readonly isRecursive: boolean;
}

/**
 * The pictures of files, folders and addresses.
 * @throws UsageError for paths that are missing, and results that would replace their originals
 */
export async function findPictures(inputs: readonly string[], wanted: Wanted): Promise<Picture[]> {
  const found: { source: string; name: string }[] = [];
  let hasFolder = false;
  for (const input of inputs) {
    if (addressIn(input) !== null) found.push({ source: input, name: basename(new URL(input).pathname) || 'picture' });
    else if (await isFolder(input)) {
      hasFolder = true;
      for (const name of await picturesIn(input, wanted)) found.push({ source: join(input, name), name });
    } else found.push({ source: input, name: basename(input) });
  }
  const isOne = !hasFolder && found.length === 1;
  if (!isOne && wanted.out === undefined) throw new UsageError('Name a folder for the results: --out FOLDER.');
  const pictures = isOne
    ? found.map((picture) => onePicture(picture, wanted))
    : namesOf(found, wanted).map(({ output, ...picture }) => ({ ...picture, output: join(wanted.out ?? '', output) }));
  const own = pictures.find(({ source, output }) => resolve(source) === resolve(output));
  if (own) throw new UsageError(`${own.output} would replace its original: choose another place with --out.`);
  return pictures;
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (!found) throw new UsageError(`${path} doesn't exist.`);
  return found.isDirectory();
}

/** Relative paths, in the order of their names. Hidden files, and results in a folder below, are left out. */
async function picturesIn(folder: string, { out, isRecursive }: Wanted): Promise<string[]> {
  const entries = await readdir(folder, { recursive: isRecursive, withFileTypes: true });
  const results = out === undefined || resolve(out) === resolve(folder) ? null : `${resolve(out)}${sep}`;
  return entries
    .filter((entry) => entry.isFile() && typeOfName(entry.name)?.startsWith('image/'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => results === null || !resolve(path).startsWith(results))
    .map((path) => relative(folder, path))
    .filter((name) => !name.split(/[/\\]/).some((part) => part.startsWith('.')))
    .sort();
}

const formatOfName = (name: string): Format | undefined => FORMATS[extname(name).slice(1).toLowerCase()];

function onePicture({ source, name }: { source: string; name: string }, { out, format: wanted }: Wanted): Picture {
  const named = out === undefined ? undefined : formatOfName(out);
  if (out !== undefined && !named) throw new UsageError(`${out}: results are .jpg, .png, .tif or .psd.`);
  if (named && wanted && EXTENSIONS[named] !== EXTENSIONS[wanted])
    throw new UsageError(`${out} is no ${wanted}: change the name or --format.`);
  const format = wanted ?? named ?? formatOfName(name) ?? 'jpeg';
  const beside = addressIn(source) === null ? dirname(source) : '.';
  return { source, name, format, output: out ?? join(beside, `${parse(name).name}.enhanced.${EXTENSIONS[format]}`) };
}

/** Names of results below the folder: those of the originals, with the extension of the format. */
function namesOf(found: readonly { source: string; name: string }[], { format: wanted }: Wanted): Picture[] {
  const withFormat = found.map((picture) => ({ ...picture, format: wanted ?? formatOfName(picture.name) ?? 'jpeg' }));
  const short = withFormat.map(({ name, format }) => {
    const { dir, name: stem } = parse(name);
    return join(dir, `${stem}.${EXTENSIONS[format]}`);
  });
  // a.jpg and a.heic would have the same name.
  return withFormat.map((picture, index) => {
    const output = short[index] ?? picture.name;
    const isUnique = short.filter((other) => other === output).length === 1;
    return { ...picture, output: isUnique ? output : `${picture.name}.${EXTENSIONS[picture.format]}` };
  });
}

/** Same bytes, name and options: same key, so that a repeated run continues the task of the first. */
export async function idempotencyKeyOf(
  { source, name, format }: Picture,
  { mask, ...options }: EnhanceOptions,
): Promise<string> {
  const hash = createHash('sha256');
  for (const input of [source, mask]) {
    if (typeof input !== 'string') continue;
    if (addressIn(input) === null) for await (const chunk of createReadStream(input)) hash.update(chunk);
    else hash.update(input);
  }
  return hash.update(JSON.stringify([basename(name), format, options])).digest('hex');
}

/** Which results of a folder were made with which key: a line a picture, written before the file appears. */
export class Journal {
  private readonly file: string;
  private readonly keys: Map<string, string>;

  private constructor(file: string, keys: Map<string, string>) {
    this.file = file;
    this.keys = keys;
  }

  static async open(folder: string): Promise<Journal> {
    const file = join(folder, '.clearframe.jsonl');
    const text = await readFile(file, 'utf8').catch(() => '');
    const keys = new Map<string, string>();
    for (const line of text.split('\n')) {
      try {
        const { output, key } = JSON.parse(line);
        keys.set(String(output), String(key));
      } catch {
        // The last line of a run that was killed.
      }
    }
    if (text !== '' && !text.endsWith('\n')) await appendFile(file, '\n');
    return new Journal(file, keys);
  }

  has(output: string, key: string): boolean {
    return this.keys.get(relative(dirname(this.file), output)) === key;
  }

  async add(output: string, key: string): Promise<void> {
    const name = relative(dirname(this.file), output);
    this.keys.set(name, key);
    await appendFile(this.file, `${JSON.stringify({ output: name, key })}\n`);
  }
}
