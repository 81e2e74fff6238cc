import { type ExifSize, serializeExif } from './exif.js';
import type { FileMetadata } from './file-metadata.js';

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
