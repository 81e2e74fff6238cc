/** RIFF header and the extended header with its flags: https://developers.google.com/speed/webp/docs/riff_container */
const EXTENDED_END = 30;
const RIFF_SIZE_AT = 4;
const CHUNK_AT = 12;
const FLAGS_AT = 20;
const HAS_PROFILE = 0x20;

/**
 * Adds a colour profile to a file without one.
 * @throws Error for a file without an extended header, which transparent lossy files have
 */
export function attachToWebp(file: Buffer, icc: Buffer | null): Buffer {
  if (!icc) return file;
  if (file.toString('latin1', CHUNK_AT, CHUNK_AT + 4) !== 'VP8X') throw new Error('the WebP has no extended header');
  const head = Buffer.from('ICCP\0\0\0\0', 'latin1');
  head.writeUInt32LE(icc.length, 4);
  // Chunks have an even length.
  const chunk = Buffer.concat([head, icc, Buffer.alloc(icc.length % 2)]);
  const start = Buffer.from(file.subarray(0, EXTENDED_END));
  start.writeUInt32LE(start.readUInt32LE(RIFF_SIZE_AT) + chunk.length, RIFF_SIZE_AT);
  start.writeUInt8(start.readUInt8(FLAGS_AT) | HAS_PROFILE, FLAGS_AT);
  return Buffer.concat([start, chunk, file.subarray(EXTENDED_END)]);
}
