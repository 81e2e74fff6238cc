import { openFile } from './files.ts';

/** A file, its bytes, its path (Node, Deno, Bun), or an https address from which the server fetches it. */
export type Input = Blob | Uint8Array | URL | string;

/** A file to send. */
export interface LocalFile {
  readonly blob: Blob;
  readonly name: string | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  webp: 'image/webp',
  psd: 'image/vnd.adobe.photoshop',
  heic: 'image/heic',
  heif: 'image/heif',
  avif: 'image/avif',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
};

/** The media type of a file's extension, which the server checks against the bytes. */
export const typeOfName = (name: string): string | undefined => TYPES[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''];

export const addressIn = (input: Input): string | null => {
  const text = input instanceof URL ? input.href : input;
  return typeof text === 'string' && /^https?:\/\//i.test(text) ? text : null;
};

export async function fileOf(input: Exclude<Input, URL>, fileName?: string): Promise<LocalFile> {
  if (typeof input === 'string') {
    const { blob, name } = await openFile(input);
    return { blob, name: fileName ?? name };
  }
  if (input instanceof Uint8Array) return { blob: new Blob([input as Uint8Array<ArrayBuffer>]), name: fileName };
  return { blob: input, name: fileName ?? ('name' in input ? String(input.name) : undefined) };
}

/** What the file says, else what its name says. */
export const contentTypeOf = ({ blob, name = '' }: LocalFile, fallback: string): string =>
  typeOfName(name) ?? (Object.values(TYPES).includes(blob.type) ? blob.type : fallback);

/** Lowercase hex. Null where the platform has no Web Crypto, as in pages without https. */
export async function sha256Of(blob: Blob): Promise<string | null> {
  if (!crypto.subtle) return null;
  const hash = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
