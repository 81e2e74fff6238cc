import { open, readFile } from 'node:fs/promises';
import type { ImageContentType } from '@clearframe/contract';
import { normalizeTiff } from '../tiff/normalize/normalize-tiff.js';

/** Path, or bytes if they were read or changed. */
export type Source = string | Buffer;

export async function sourceOf(path: string, contentType: ImageContentType): Promise<Source> {
  switch (contentType) {
    case 'image/png':
      return arranged(await readFile(path));
    case 'image/tiff':
      return normalizeTiff(await readFile(path));
    case 'image/avif':
      return (await isSequence(path)) ? stillOf(await readFile(path)) : path;
    default:
      return path;
  }
}

const chunkType = (name: string): number => Buffer.from(name, 'latin1').readUInt32BE();
const TEXT_CHUNKS = new Set(['tEXt', 'zTXt', 'iTXt'].map(chunkType));
const [DATA_CHUNK, EXIF_CHUNK] = [chunkType('IDAT'), chunkType('eXIf')];
const PNG_SIGNATURE_BYTES = 8;

/**
 * Removes text chunks, which results don't keep but decoders unpack: a hundred compressed texts of 20 MB in a file of 2
 * MB took libvips 80 s and 6 GB. Moves EXIF to before the data, where libvips reads it.
 */
function arranged(file: Buffer): Buffer {
  const beforeData: Buffer[] = [];
  const fromData: Buffer[] = [];
  let isChanged = false;
  let at = PNG_SIGNATURE_BYTES;
  for (; at + 8 <= file.length; ) {
    // Data length, chunk type, data, checksum.
    const end = at + 12 + file.readUInt32BE(at);
    const type = file.readUInt32BE(at + 4);
    const isText = TEXT_CHUNKS.has(type);
    const isLateExif = type === EXIF_CHUNK && fromData.length > 0;
    isChanged ||= isText || isLateExif;
    if (!isText) {
      const parts = type === DATA_CHUNK || (fromData.length > 0 && !isLateExif) ? fromData : beforeData;
      parts.push(file.subarray(at, end));
    }
    at = end;
  }
  if (!isChanged) return file;
  return Buffer.concat([file.subarray(0, PNG_SIGNATURE_BYTES), ...beforeData, ...fromData, file.subarray(at)]);
}

/** libvips rejects animated AVIF. */
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

/** An animated AVIF also has its first frame as a still picture. */
function stillOf(file: Buffer): Buffer {
  file.write(STILL_BRAND, BRAND_AT, 'latin1');
  return file;
}
