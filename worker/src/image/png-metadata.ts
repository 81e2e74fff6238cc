import { crc32, deflateSync } from 'node:zlib';
import { type ExifSize, serializeExif } from './exif.js';
import type { FileMetadata } from './file-metadata.js';

/** Signature and 13-byte header chunk. */
const AFTER_HEADER = 8 + 12 + 13;

function chunk(type: string, ...payload: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), ...payload]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(body.length - 4, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

/** Adds chunks before the first data chunk; `file` must have none of them. */
export function attachToPng(file: Buffer, { icc, exif, xmp }: FileMetadata, size: ExifSize): Buffer {
  const chunks: Buffer[] = [];
  // Keyword, terminator, compression method 0.
  if (icc) chunks.push(chunk('iCCP', Buffer.from('ICC profile\0\0', 'latin1'), deflateSync(icc)));
  const block = exif && serializeExif(exif, size);
  if (block) chunks.push(chunk('eXIf', block));
  // Keyword, terminator, uncompressed, no language, no translated keyword.
  if (xmp) chunks.push(chunk('iTXt', Buffer.from('XML:com.adobe.xmp\0\0\0\0\0', 'latin1'), xmp));
  return Buffer.concat([file.subarray(0, AFTER_HEADER), ...chunks, file.subarray(AFTER_HEADER)]);
}
