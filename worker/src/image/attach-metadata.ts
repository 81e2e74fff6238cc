import { crc32, deflateSync } from 'node:zlib';
import { type ExifSize, layOutExif, serializeExif } from './exif.js';
import type { FileMetadata } from './file-metadata.js';
import { bytesEntry, type IfdEntry, numbersIn, readIfd, readTiffHeader, UNDEFINED, writeIfd } from './ifd.js';

/** The length field counts itself and has 16 bits. */
const MAX_SEGMENT_PAYLOAD = 65_533;
const ICC_MARK = Buffer.from('ICC_PROFILE\0', 'latin1');
/** Each piece: signature, its number, number of pieces (ICC.1:2022, B.4). */
const ICC_CHUNK = MAX_SEGMENT_PAYLOAD - ICC_MARK.length - 2;

const JFIF_MARKER = 0xffe0;
const APP1 = 0xe1;
const APP2 = 0xe2;

function segment(marker: number, ...payload: Buffer[]): Buffer {
  const body = Buffer.concat(payload);
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** `file` must have no EXIF, XMP or ICC. */
export function attachToJpeg(file: Buffer, { icc, exif, xmp }: FileMetadata, size: ExifSize): Buffer {
  const segments: Buffer[] = [];
  const block = exif && serializeExif(exif, size);
  if (block) segments.push(segment(APP1, Buffer.from('Exif\0\0', 'latin1'), block));
  if (xmp) segments.push(segment(APP1, Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1'), xmp));
  if (icc) {
    const chunks = Math.ceil(icc.length / ICC_CHUNK);
    for (let index = 0; index < chunks; index++) {
      const piece = icc.subarray(index * ICC_CHUNK, (index + 1) * ICC_CHUNK);
      segments.push(segment(APP2, ICC_MARK, Buffer.from([index + 1, chunks]), piece));
    }
  }
  // JFIF must come first.
  const start = file.readUInt16BE(2) === JFIF_MARKER ? 4 + file.readUInt16BE(4) : 2;
  return Buffer.concat([file.subarray(0, start), ...segments, file.subarray(start)]);
}

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

const TAG = { xmp: 700, icc: 34_675, stripOffsets: 273, tileOffsets: 324 } as const;
const BYTE = 1;

/** Color profile and XMP, in a directory of TIFF. */
export const profileEntries = ({ icc, xmp }: FileMetadata): IfdEntry[] => [
  ...(xmp ? [bytesEntry(TAG.xmp, BYTE, xmp)] : []),
  ...(icc ? [bytesEntry(TAG.icc, UNDEFINED, icc)] : []),
];

/**
 * Adds metadata to a little-endian TIFF of one page, in a new directory at the end. Strips stay in place; the old
 * directory is unused.
 * @throws Error for any other TIFF; our encoder writes none
 */
export function attachToTiff(file: Buffer, metadata: FileMetadata, size: ExifSize): Buffer {
  const header = readTiffHeader(file);
  if (header?.order !== 'little' || header.isBig) throw new Error('expected a little-endian TIFF');
  const old = readIfd(file, header, header.firstIfd, file.length);
  if (numbersIn(old, TAG.stripOffsets).length + numbersIn(old, TAG.tileOffsets).length === 0) {
    throw new Error('expected a TIFF with strips or tiles');
  }
  const padded = file.length % 2 === 0 ? file : Buffer.concat([file, Buffer.alloc(1)]);
  const { entries, children } = metadataEntries(old, metadata, size, padded.length);
  const firstIfd = padded.length + children.length;
  const result = Buffer.concat([padded, children, writeIfd(entries, firstIfd)]);
  result.writeUInt32LE(firstIfd, 4);
  return result;
}

/** Of a directory with metadata, and its child directories at the file offset `base`. */
export function metadataEntries(
  own: readonly IfdEntry[],
  metadata: FileMetadata,
  size: ExifSize,
  base: number,
): { entries: IfdEntry[]; children: Buffer } {
  const { exif } = metadata;
  const { children, entries: more } = exif ? layOutExif(exif, size, base) : { children: Buffer.alloc(0), entries: [] };
  const entries = new Map<number, IfdEntry>();
  for (const entry of [...own, ...more, ...profileEntries(metadata)]) entries.set(entry.tag, entry);
  return { entries: [...entries.values()], children };
}

/** RIFF header and the extended header with its flags: https://developers.google.com/speed/webp/docs/riff_container */
const CHUNK_AT = 12;
const EXTENDED_END = 30;
const RIFF_SIZE_AT = 4;
const FLAGS_AT = 20;
const WIDTH_AT = 24;
const HEIGHT_AT = 27;
const HAS_PROFILE = 0x20;

interface Size {
  readonly width: number;
  readonly height: number;
}

export function attachToWebp(file: Buffer, icc: Buffer | null, size: Size): Buffer {
  if (!icc) return file;
  const [start, rest] = splitExtended(file, size);
  const head = Buffer.from('ICCP\0\0\0\0', 'latin1');
  head.writeUInt32LE(icc.length, 4);
  start.writeUInt8(start.readUInt8(FLAGS_AT) | HAS_PROFILE, FLAGS_AT);
  // Chunks have an even length.
  const tagged = Buffer.concat([start, head, icc, Buffer.alloc(icc.length % 2), rest]);
  tagged.writeUInt32LE(tagged.length - RIFF_SIZE_AT - 4, RIFF_SIZE_AT);
  return tagged;
}

/** The file up to the extended header, which opaque files lack, and the chunks after it. */
function splitExtended(file: Buffer, { width, height }: Size): [Buffer, Buffer] {
  if (file.toString('latin1', CHUNK_AT, CHUNK_AT + 4) === 'VP8X')
    return [Buffer.from(file.subarray(0, EXTENDED_END)), file.subarray(EXTENDED_END)];
  const start = Buffer.alloc(EXTENDED_END);
  file.copy(start, 0, 0, CHUNK_AT);
  start.write('VP8X', CHUNK_AT, 'latin1');
  start.writeUInt32LE(EXTENDED_END - FLAGS_AT, CHUNK_AT + 4);
  start.writeUIntLE(width - 1, WIDTH_AT, 3);
  start.writeUIntLE(height - 1, HEIGHT_AT, 3);
  return [start, file.subarray(CHUNK_AT)];
}
