import { readFile } from 'node:fs/promises';
import { codedColorOfPng, profileOfCode } from '../cicp.js';
import { type ImageFormat, probedOf, readHeader } from './format.js';

export const png: ImageFormat = {
  accepts: ['image/png'],
  probe: async ({ path }) => {
    const file = arrangePng(await readFile(path));
    const header = await readHeader(file, 'png');
    const coded = codedColorOfPng(file);
    return probedOf(file, header, header.icc ?? (coded && profileOfCode(coded)) ?? undefined);
  },
};

const chunkType = (name: string): number => Buffer.from(name, 'latin1').readUInt32BE();
const TEXT_CHUNKS = new Set(['tEXt', 'zTXt', 'iTXt'].map(chunkType));
const [DATA_CHUNK, EXIF_CHUNK] = [chunkType('IDAT'), chunkType('eXIf')];
const SIGNATURE_BYTES = 8;

interface Chunk {
  /** See {@link chunkType}. */
  readonly type: number;
  readonly bytes: Buffer;
}

/** Up to what is too short for a chunk. Its length, type, data and checksum. */
function* chunksOf(file: Buffer): Generator<Chunk> {
  for (let at = SIGNATURE_BYTES; at + 8 <= file.length; ) {
    const end = at + 12 + file.readUInt32BE(at);
    yield { type: file.readUInt32BE(at + 4), bytes: file.subarray(at, end) };
    at = end;
  }
}

/** Set in the types of chunks that decoders may ignore: the bit of a lowercase first letter. */
const ANCILLARY = 0x20 << 24;

/** Pixels only: no profile, gamma, transparency, orientation or text. */
export const criticalChunksOf = (file: Buffer): Buffer =>
  Buffer.concat([
    file.subarray(0, SIGNATURE_BYTES),
    ...[...chunksOf(file)].filter(({ type }) => (type & ANCILLARY) === 0).map(({ bytes }) => bytes),
  ]);

/**
 * Removes text chunks, which results don't keep but decoders unpack: a hundred compressed texts of 20 MB in a file of 2
 * MB took libvips 80 s and 6 GB. Moves EXIF to before the data, where libvips reads it.
 */
export function arrangePng(file: Buffer): Buffer {
  const beforeData: Buffer[] = [];
  const fromData: Buffer[] = [];
  let isChanged = false;
  let end = SIGNATURE_BYTES;
  for (const { type, bytes } of chunksOf(file)) {
    const isText = TEXT_CHUNKS.has(type);
    const isLateExif = type === EXIF_CHUNK && fromData.length > 0;
    isChanged ||= isText || isLateExif;
    if (!isText) {
      const parts = type === DATA_CHUNK || (fromData.length > 0 && !isLateExif) ? fromData : beforeData;
      parts.push(bytes);
    }
    end += bytes.length;
  }
  if (!isChanged) return file;
  return Buffer.concat([file.subarray(0, SIGNATURE_BYTES), ...beforeData, ...fromData, file.subarray(end)]);
}
