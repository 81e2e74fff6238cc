import { unpackLzma2 } from './lzma2.js';

/** The .xz File Format, 2.1.1.1 and 5.3. */
const SIGNATURE = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]);
const STREAM_HEADER_BYTES = 12;
const FILTER = { delta: 0x03, lzma2: 0x21 } as const;
const BLOCK_FLAGS = { filters: 0x03, packedSize: 0x40, unpackedSize: 0x80 } as const;

/**
 * Unpacks the only block of an .xz stream, as libtiff writes them: LZMA2, after differences of bytes at some distance.
 * Checksums are not verified.
 * @throws RangeError for damaged data, or more than `maxBytes`
 */
export function unpackXz(stored: Buffer, maxBytes: number): Buffer {
  if (!stored.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new RangeError('this is no .xz stream');
  let at = STREAM_HEADER_BYTES + 2;
  const variable = (): number => {
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = stored.readUInt8(at++);
      value += (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('a number is too large');
  };
  const flags = stored.readUInt8(STREAM_HEADER_BYTES + 1);
  if (flags & BLOCK_FLAGS.packedSize) variable();
  if (flags & BLOCK_FLAGS.unpackedSize) variable();
  let distance = 0;
  for (let filter = 0; filter <= (flags & BLOCK_FLAGS.filters); filter++) {
    const id = variable();
    const properties = variable();
    if (id === FILTER.delta) distance = stored.readUInt8(at) + 1;
    else if (id !== FILTER.lzma2) throw new RangeError('unknown filter');
    at += properties;
  }
  const start = STREAM_HEADER_BYTES + (stored.readUInt8(STREAM_HEADER_BYTES) + 1) * 4;
  const data = unpackLzma2(stored, start, maxBytes);
  if (distance > 0)
    for (let to = distance; to < data.length; to++) data[to] = (data[to] ?? 0) + (data[to - distance] ?? 0);
  return data;
}
