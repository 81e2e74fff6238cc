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

/**
 * Removes text chunks, which results don't keep but decoders unpack: a hundred compressed texts of 20 MB in a file of 2
 * MB took libvips 80 s and 6 GB. Moves EXIF to before the data, where libvips reads it.
 */
export function arrangePng(file: Buffer): Buffer {
  const beforeData: Buffer[] = [];
  const fromData: Buffer[] = [];
  let isChanged = false;
  let at = SIGNATURE_BYTES;
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
  return Buffer.concat([file.subarray(0, SIGNATURE_BYTES), ...beforeData, ...fromData, file.subarray(at)]);
}
