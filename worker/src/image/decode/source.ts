import { open, readFile } from 'node:fs/promises';
import type { ImageContentType } from '@clearframe/contract';

/** A file's path, or its bytes where they were read or changed. */
export type Source = string | Buffer;

/** Prepares a file of at most the accepted size for libvips. */
export async function sourceOf(path: string, contentType: ImageContentType): Promise<Source> {
  switch (contentType) {
    case 'image/png':
      return withoutTexts(await readFile(path));
    case 'image/tiff':
      return readFile(path);
    case 'image/avif':
      return (await isSequence(path)) ? stillOf(await readFile(path)) : path;
    default:
      return path;
  }
}

const TEXT_CHUNKS = new Set(['tEXt', 'zTXt', 'iTXt'].map((name) => Buffer.from(name, 'latin1').readUInt32BE()));
const PNG_SIGNATURE_BYTES = 8;

/**
 * Removes the text chunks of a PNG. They are not kept, but decoders unpack them: a hundred compressed texts of 20 MB
 * each, in a file of 2 MB, took libvips 80 s and 6 GB.
 */
function withoutTexts(file: Buffer): Buffer {
  const kept: Buffer[] = [];
  let from = 0;
  for (let at = PNG_SIGNATURE_BYTES; at + 8 <= file.length; ) {
    // Data length, chunk type, data, checksum.
    const end = at + 12 + file.readUInt32BE(at);
    if (TEXT_CHUNKS.has(file.readUInt32BE(at + 4))) {
      kept.push(file.subarray(from, at));
      from = end;
    }
    at = end;
  }
  return kept.length === 0 ? file : Buffer.concat([...kept, file.subarray(from)]);
}

/** The brands of an animated AVIF, which libvips rejects, and of a still one. */
const SEQUENCE_BRAND = 'avis';
const STILL_BRAND = 'avif';
const BRAND_AT = 8;

async function isSequence(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, BRAND_AT);
    return buffer.toString('latin1', 0, bytesRead) === SEQUENCE_BRAND;
  } finally {
    await file.close();
  }
}

/** An animated AVIF also stores its first frame as a still picture. */
function stillOf(file: Buffer): Buffer {
  file.write(STILL_BRAND, BRAND_AT, 'latin1');
  return file;
}
