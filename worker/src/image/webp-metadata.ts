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
